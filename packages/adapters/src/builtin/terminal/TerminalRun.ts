/** Runs a planned command to its end, whoever's end that is, and says what was seen. */
import type { AdapterOutcome } from "@gatehouse/core/AdapterOutcome"
import type { Authorized } from "@gatehouse/core/Authorized"
import { AdapterError } from "@gatehouse/core/EffectError"
import type { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type { ProcessError } from "@gatehouse/process/ProcessError"
import type { ProcessExit, Processes, SpawnOptions } from "@gatehouse/process/Processes"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import { bounded } from "./LiveOutput.ts"
import type { TaskStarter } from "./TaskStarter.ts"
import { failureMessage, ranOutput, unstartedOutput } from "./TerminalOutput.ts"
import { type PreparedCommand, shell, type TerminalJudges } from "./TerminalPlan.ts"

export interface TerminalServices extends TerminalJudges {
  readonly processes: Context.Tag.Service<typeof Processes>
  readonly redactor: Context.Tag.Service<typeof Redactor>
  readonly tasks: Context.Tag.Service<typeof TaskStarter> | null
}

/** Milliseconds between TERM and KILL (behaviour A12). */
const graceMillis = 250

export const runTerminal = (
  services: TerminalServices,
  authorized: Authorized<PreparedCommand>
): Effect.Effect<AdapterOutcome, AdapterError, Scope.Scope> =>
  Effect.gen(function* () {
    const { call, prepared } = authorized
    const now = services.workspaces.judge(prepared.cwd.resolved, call.turn.workspace)
    if (now.resolved !== prepared.cwd.resolved || now.identity !== prepared.cwd.identity || !now.insideWorkspace) {
      return yield* movedDirectory
    }
    const clock = yield* Effect.clock
    const spawn = spawnOptions(services, authorized, () => clock.unsafeCurrentTimeMillis())
    if (prepared.background) return yield* startTask(services, authorized, spawn)
    return yield* Effect.uninterruptibleMask((restore) =>
      services.processes.spawn(spawn).pipe(
        Effect.tapError((error) => Effect.sync(() => call.witness.output(unstartedOutput(prepared, error)))),
        Effect.mapError(notStarted),
        Effect.flatMap((owned) =>
          restore(owned.exit).pipe(
            Effect.onInterrupt(() =>
              Effect.match(owned.end, {
                onFailure: (error) => testify(authorized, error.exit, error),
                onSuccess: (exit) => testify(authorized, exit, null)
              })
            ),
            Effect.matchEffect({
              onFailure: (error) => failed(authorized, error),
              onSuccess: (exit) => settled(authorized, exit)
            })
          )
        )
      )
    )
  })

const spawnOptions = (
  { redactor, settings }: TerminalServices,
  { call, prepared }: Authorized<PreparedCommand>,
  now: () => number
): SpawnOptions => {
  const { limits, sandbox } = settings.of(call.turn)
  const secrets = new Map([...call.secrets].map(([name, value]) => [name, Redacted.value(value)]))
  return {
    command: shell,
    args: ["-c", "--", prepared.command],
    cwd: prepared.cwd.resolved,
    environment: { ...prepared.environment, ...Object.fromEntries(secrets) },
    stdin: prepared.stdin,
    graceMillis,
    limits,
    sandbox,
    workspace: call.turn.workspace,
    mask: () => redactor.textMask({ bindings: secrets, environment: {}, headers: {}, arguments: call.arguments }),
    artifact: true,
    onOutput: bounded(call.witness.live, now),
    label: `terminal ${call.callId}`
  }
}

/** Tells the pipeline what a command that was cut off had said, and whether all of it is gone. */
const testify = (
  { call, prepared }: Authorized<PreparedCommand>,
  exit: ProcessExit | null,
  error: ProcessError | null
): void => {
  if (exit !== null) call.witness.output(ranOutput(prepared, exit, error))
  if (exit === null || !exit.confirmedGone) {
    const left = exit === null ? [] : exit.survivors.map(({ name, pid }) => `${name} (${pid})`)
    call.witness.unconfirmed(
      left.length > 0 ? `processes could not be ended: ${left.join(", ")}` : "not every process is known to be gone"
    )
  }
}

/** A command that came to its end, by itself or with its host. */
const settled = (authorized: Authorized<PreparedCommand>, exit: ProcessExit): Effect.Effect<AdapterOutcome> => {
  if (exit.cause === "shutdown") {
    testify(authorized, exit, null)
    return Effect.interrupt
  }
  const output = ranOutput(authorized.prepared, exit)
  return Effect.succeed(
    exit.exitCode === 0 ? { status: "succeeded", output } : { status: "failed", output, message: failureMessage(exit) }
  )
}

/** It ran, and its output could not be kept. */
const failed = (
  authorized: Authorized<PreparedCommand>,
  error: ProcessError
): Effect.Effect<AdapterOutcome, AdapterError> =>
  error.exit === null
    ? notStarted(error)
    : Effect.succeed({
        status: "failed",
        output: ranOutput(authorized.prepared, error.exit, error),
        message: error.remedy === "" ? error.message : `${error.message}. ${error.remedy}`
      })

const startTask = (
  { tasks }: TerminalServices,
  { call, prepared }: Authorized<PreparedCommand>,
  spawn: SpawnOptions
): Effect.Effect<AdapterOutcome, AdapterError> =>
  tasks === null
    ? noTasks
    : Effect.map(
        tasks.start({
          callId: call.callId,
          turn: call.turn,
          arguments: call.arguments,
          summary: call.plan.target,
          timeoutMillis: prepared.timeoutMillis,
          spawn: { ...spawn, onOutput: null }
        }),
        ({ taskId }) => ({
          status: "succeeded",
          output: {
            text: `started as task ${taskId}; it ends by itself, after ${prepared.timeoutMillis / 1000} s, or with its host`,
            data: { task_id: taskId },
            artifacts: []
          }
        })
      )

const notStarted = (error: ProcessError): AdapterError =>
  new AdapterError({
    reason: error.reason,
    message: error.message,
    remedy: error.remedy,
    mayHaveHappened: error.spawned
  })

const movedDirectory = new AdapterError({
  reason: "cwd",
  message: "cwd: is not the folder any more that was approved",
  remedy: "Call again",
  mayHaveHappened: false
})

const noTasks = new AdapterError({
  reason: "background",
  message: "background: nobody keeps tasks in this host",
  remedy: "Leave it out",
  mayHaveHappened: false
})
