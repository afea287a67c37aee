/** `terminal` with `background: true`: the command as a task of kind `terminal.exec`, owned by this host. */
import { TaskStarter } from "@gatehouse/adapters/builtin/terminal/TaskStarter"
import { type BegunWork, TaskWorker } from "@gatehouse/control-plane/tasks/TaskWorker"
import { AdapterError } from "@gatehouse/core/EffectError"
import { Redactor, type SecretSources } from "@gatehouse/policy/redaction/Redactor"
import { ProcessError } from "@gatehouse/process/ProcessError"
import { type OwnedProcess, Processes } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { commandEnd, failedEnd, type SayOf } from "./CommandEnd.ts"

/** Kind of the tasks that commands are. */
export const commandTaskKind = "terminal.exec"

/** Starts commands as tasks. Their output comes masked; what is said of them is redacted here. */
export const backgroundCommandsLayer = Layer.effect(
  TaskStarter,
  Effect.gen(function* () {
    const worker = yield* TaskWorker
    const processes = yield* Processes
    const redactor = yield* Redactor
    return {
      start: (command) => {
        const sources: SecretSources = {
          bindings: new Map(),
          environment: {},
          headers: {},
          arguments: command.arguments
        }
        const summary = redactor.text(command.summary, sources)
        const sayOf: SayOf = (text) => redactor.text(text, sources)
        return worker
          .start(command.turn.principal, {
            session: command.turn.session,
            turn: command.turn.id,
            kind: commandTaskKind,
            tool: "terminal",
            summary,
            writeScope: "",
            metadata: { call: command.callId, timeout_seconds: command.timeoutMillis / 1000 },
            timeoutMillis: command.timeoutMillis,
            begin: (log) =>
              Effect.map(processes.spawn({ ...command.spawn, onOutput: log }), (owned) => begun(owned, summary, sayOf))
          })
          .pipe(
            Effect.map((taskId) => ({ taskId })),
            Effect.mapError((error) => notStarted(error))
          )
      }
    }
  })
)

const begun = (owned: OwnedProcess, summary: string, sayOf: SayOf): BegunWork => ({
  ended: Effect.match(owned.exit, {
    onFailure: (error) => failedEnd(error, summary, sayOf),
    onSuccess: (exit) => commandEnd(exit, null, summary, sayOf)
  }),
  stop: (why) =>
    Effect.match(owned.end, {
      onFailure: (error) => failedEnd(error, summary, sayOf),
      onSuccess: (exit) => commandEnd(exit, why, summary, sayOf)
    })
})

type NotStarted = Effect.Effect.Error<ReturnType<typeof TaskWorker.Service.start<ProcessError>>>

const notStarted = (error: NotStarted): AdapterError =>
  new AdapterError({
    reason: error._tag === "ProcessError" ? error.reason : "task",
    message: error.message,
    remedy: error.remedy,
    mayHaveHappened: error._tag === "ProcessError" && error.spawned
  })
