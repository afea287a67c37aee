/** `yield_until`: waits for the end of a task, for a limited time, and takes its completion: it is told once. */
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { TaskId } from "@gatehouse/core/Identifiers"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { controlPlan, storeRefusal } from "../ControlTool.ts"
import type { TaskAccess } from "./TaskAccess.ts"
import { noSuchTask, TaskIdArgument, taskAnswer } from "./TaskAnswer.ts"

/** Seconds (behaviour A18); the longest is that of a command. */
const waitDefaultSeconds = 30
const waitMostSeconds = 120

/** Milliseconds that the answer may take beyond the wait. */
const marginMillis = 10_000

const Arguments = Schema.Struct({
  task_id: TaskIdArgument,
  timeout_seconds: Schema.optionalWith(
    Schema.Number.pipe(Schema.between(0, waitMostSeconds)).annotations({
      description: `Seconds to wait; ${waitDefaultSeconds} by default, ${waitMostSeconds} at most. The task runs on when they are over.`
    }),
    { default: () => waitDefaultSeconds }
  )
})

interface Wait {
  readonly task: TaskId
  readonly millis: number
}

export const yieldUntilEntry = (tasks: Context.Tag.Service<typeof TaskAccess>): SourceEntry =>
  builtinEntry<typeof Arguments.Type, typeof Arguments.Encoded, Wait>({
    name: "yield_until",
    description: "Waits until a background task has ended and tells how, or says after a while that it still runs.",
    arguments: Arguments,
    capability: null,
    toolset: "control",
    risk: "low",
    policy: "auto",
    readOnly: false,
    plan: ({ task_id, timeout_seconds }) =>
      controlPlan({
        action: "wait for",
        target: `task ${task_id}`,
        readOnly: false,
        preview: { task_id, timeout_seconds },
        timeoutMillis: timeout_seconds * 1000 + marginMillis,
        prepared: { task: TaskId(task_id), millis: timeout_seconds * 1000 }
      }),
    run: ({ call: { turn }, prepared }) =>
      Effect.mapBoth(tasks.wait(turn.principal, prepared.task, prepared.millis), {
        onFailure: storeRefusal,
        onSuccess: (waited) => {
          if (waited === null) return noSuchTask
          const { delivered, task, timedOut } = waited
          const said = timedOut ? "still running" : delivered ? "ended" : "ended; this was told before"
          return taskAnswer(task, said, { timed_out: timedOut, delivered })
        }
      })
  })
