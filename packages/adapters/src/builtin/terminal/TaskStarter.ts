/**
 * The port by which `terminal` with `background: true` becomes a task. Whoever keeps tasks gives it; without it a
 * background call is refused before anybody is asked.
 */
import type { AdapterError } from "@gatehouse/core/EffectError"
import type { CallId, TaskId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { SpawnOptions } from "@gatehouse/process/Processes"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A command that was approved and outlives its call. It holds no secret: bindings and background exclude each other. */
export interface BackgroundCommand {
  readonly callId: CallId
  readonly turn: TurnContext
  /** The call's own: secrets that they tell are known, and kept out of what is said of the task. */
  readonly arguments: Json
  /** One line for lists: the command, bounded. Raw. */
  readonly summary: string
  /** Milliseconds until the task is ended. */
  readonly timeoutMillis: number
  /** What to start through `Processes`, with a mask; who keeps the log puts its own `onOutput` in. */
  readonly spawn: SpawnOptions
}

export class TaskStarter extends Context.Tag("@gatehouse/adapters/TaskStarter")<
  TaskStarter,
  {
    /** Starts it under the turn's owner and answers its id; what runs then is the task's, not the call's. */
    readonly start: (command: BackgroundCommand) => Effect.Effect<{ readonly taskId: TaskId }, AdapterError>
  }
>() {}
