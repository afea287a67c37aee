/** The walk through the stages of `Stages.ts`: what happens between a request and its result. */
import { CancelledError, DefectError, type EffectError, SettleError } from "@gatehouse/core/EffectError"
import type { EffectRequest } from "@gatehouse/core/EffectRequest"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { CatalogId } from "@gatehouse/core/Identifiers"
import type { Stage } from "@gatehouse/core/Stage"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { BoundSecrets } from "@gatehouse/policy/secrets/SecretBinder"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import type { Dependencies } from "./Dependencies.ts"
import { type EndedCall, type Ending, endedBefore } from "./Ending.ts"
import { keptRequest } from "./KeptRequest.ts"
import { sourcesOf } from "./Settlement.ts"
import { StageLog } from "./StageLog.ts"
import * as Stages from "./Stages.ts"

type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/**
 * `execute` over services that were captured once. The whole walk is uninterruptible but for the places where it
 * waits (a question, a secret, the adapter): an interruption there still settles, and then goes on by itself.
 */
export const makeExecute =
  (dependencies: Dependencies) =>
  (request: EffectRequest, turn: TurnContext): Effect.Effect<EffectResult> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const log = new StageLog(dependencies.clock)
        const call: Mutable<EndedCall> = {
          callId: request.callId,
          tool: request.name,
          catalog: dependencies.turns.admissionOf(turn)?.catalog.id ?? CatalogId(""),
          turn,
          arguments: request.arguments,
          entry: null,
          plan: null,
          secrets: null
        }
        return Effect.flatMap(Effect.exit(walk(request, call, log, dependencies, restore)), (exit) =>
          Stages.settle(call, Exit.isSuccess(exit) ? exit.value : brokenOff(exit.cause, log), log, dependencies)
        )
      })
    )

/** Fills `call` with what it learns, so that every ending can be told. */
const walk = (
  request: EffectRequest,
  call: Mutable<EndedCall>,
  log: StageLog,
  dependencies: Dependencies,
  restore: Restore
): Effect.Effect<Ending> => {
  const granted = Either.flatMap(Stages.binding(request, call.turn, log, dependencies), (bound) => {
    call.entry = bound.bound.entry
    return Either.flatMap(Stages.principal(bound, log, dependencies), () => Stages.capability(bound, log, dependencies))
  })
  if (Either.isLeft(granted)) return Effect.succeed(granted.left)
  return granted.right.bound.adapter.use((adapter) => {
    const planned = Stages.preflight(granted.right, adapter, log, dependencies)
    if (Either.isLeft(planned)) return Effect.succeed(planned.left)
    call.plan = planned.right.plan
    return gated(planned.right, call, log, dependencies, restore)
  })
}

const gated = Effect.fnUntraced(function* <Prepared>(
  planned: Stages.PlannedCall<Prepared>,
  call: Mutable<EndedCall>,
  log: StageLog,
  dependencies: Dependencies,
  restore: Restore
) {
  // Only a question and a source of secrets take time in which a turn can be stopped.
  const untilStopped = <A>(stage: Effect.Effect<Either.Either<A, Ending>>) =>
    Effect.raceFirst(stage, stopped(planned.turn.cancellation, log))
  const approval = Stages.approval(planned, log, dependencies)
  const approved = yield* restore(planned.question.policy === "prompt" ? untilStopped(approval) : approval)
  if (Either.isLeft(approved)) return approved.left
  const secrets = Stages.secrets(planned, log, dependencies)
  const bound = yield* restore(planned.plan.secrets.length > 0 ? untilStopped(secrets) : secrets)
  if (Either.isLeft(bound)) return bound.left
  call.secrets = bound.right
  const intended = yield* Effect.either(intend(planned, bound.right, dependencies))
  if (Either.isLeft(intended)) {
    const { message, remedy } = intended.left
    return refusedStart(
      log,
      "failed",
      new SettleError({ reason: "record", message, remedy }),
      "the intent was not recorded"
    )
  }
  if (planned.turn.cancellation.aborted)
    return refusedStart(log, "cancelled", cancelledBefore(log.next), "the turn was stopped")
  return yield* Stages.adapter(planned, bound.right, log, dependencies, restore)
})

const intend = <Prepared>(planned: Stages.PlannedCall<Prepared>, secrets: BoundSecrets, dependencies: Dependencies) =>
  dependencies.records.intend({
    callId: planned.request.callId,
    turn: planned.turn,
    entry: planned.bound.entry,
    action: planned.plan.action,
    target: dependencies.redactor.text(
      planned.plan.target,
      sourcesOf({ arguments: planned.request.arguments, secrets }, dependencies)
    ),
    readOnly: planned.plan.readOnly || planned.bound.entry.readOnly,
    writeScope: planned.plan.writeScope,
    ...keptRequest({ arguments: planned.request.arguments, secrets }, dependencies),
    at: dependencies.clock.unsafeCurrentTimeMillis()
  })

const stopped = (cancellation: AbortSignal, log: StageLog): Effect.Effect<Either.Either<never, Ending>> =>
  Effect.async((resume) => {
    const onAbort = (): void =>
      resume(
        Effect.sync(() =>
          Either.left(refusedStart(log, "cancelled", cancelledBefore(log.next), "the turn was stopped"))
        )
      )
    if (cancellation.aborted) onAbort()
    else cancellation.addEventListener("abort", onAbort, { once: true })
    return Effect.sync(() => cancellation.removeEventListener("abort", onAbort))
  })

const cancelledBefore = (stage: Stage): CancelledError =>
  new CancelledError({ stage, message: "the call was cancelled before it started", remedy: "" })

const refusedStart = (log: StageLog, status: Ending["status"], error: EffectError, rule: string): Ending => {
  log.record(log.next, "refused", rule)
  return endedBefore(status, error)
}

/** The walk itself was interrupted, or broke: nothing had started, since the adapter's stage catches its own. */
const brokenOff = (cause: Cause.Cause<never>, log: StageLog): Ending => {
  if (Cause.isInterruptedOnly(cause))
    return refusedStart(log, "cancelled", cancelledBefore(log.next), "the caller was interrupted")
  const stage = log.next
  log.record(stage, "failed", "broke off with an internal error")
  const error = new DefectError({
    stage,
    message: `the ${stage} stage broke off with an internal error; nothing was started`,
    remedy: "see the debug view, and report it as a bug"
  })
  return endedBefore("failed", error, cause)
}
