/** `gatehouse tasks follow`: the log of a task from its start, and on until the task has ended, whichever host runs it. */
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import type { LogLine, TaskRecord } from "@gatehouse/control-plane/tasks/TaskRows"
import { Tasks, taskPage } from "@gatehouse/control-plane/tasks/Tasks"
import { TaskId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import { alreadyShown, CommandFailed } from "../ExitStatus.ts"
import { localStoreLayer, storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"

export interface TasksFollowArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
  readonly id: string
}

/** Milliseconds between two looks. */
const lookMillis = 200

/** Ends with the exit status that the task's own status has; the completion stays to be delivered to its session. */
export const runTasksFollow = Effect.fn("gatehouse tasks follow")(
  function* (args: TasksFollowArguments) {
    const output = yield* Output
    const scope = yield* Effect.flatMap(Principals, ({ operator }) => operator("gatehouse tasks follow"))
    const show = ({ at, sequence, stream, text }: LogLine) =>
      output.result(args.json ? JSON.stringify({ sequence, stream, at, text }) : text.replace(/\n$/, ""))
    const task = yield* follow(scope, TaskId(args.id), 0, show)
    if (task === null) {
      return yield* new CommandFailed({
        status: "not_found",
        message: "there is no such task",
        remedy: "`gatehouse tasks list` shows them"
      })
    }
    const { exitReason, returnCode, status } = task
    if (args.json) yield* output.result(JSON.stringify({ status, returnCode, exitReason }))
    else yield* output.note(`${task.id} ${status}${exitReason === null ? "" : `: ${exitReason}`}`)
    if (status !== "succeeded" && status !== "running") yield* alreadyShown(status)
  },
  Effect.mapError((error) => (error._tag === "CommandFailed" ? error : storeFailed(error))),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

/** The task is looked at before its log: what it said before its end is in the log that is read after. */
const follow = (
  scope: PrincipalScope,
  id: TaskId,
  after: number,
  show: (line: LogLine) => Effect.Effect<void>
): Effect.Effect<TaskRecord | null, Effect.Effect.Error<ReturnType<typeof Tasks.Service.get>>, Tasks> =>
  Effect.gen(function* () {
    const tasks = yield* Tasks
    const task = yield* tasks.get(scope, id)
    if (task === null) return null
    const lines = yield* tasks.log(scope, id, after)
    yield* Effect.forEach(lines, show, { discard: true })
    if (task.endedAt !== null && lines.length < taskPage) return task
    if (lines.length === 0) yield* Effect.sleep(lookMillis)
    return yield* follow(scope, id, lines.at(-1)?.sequence ?? after, show)
  })
