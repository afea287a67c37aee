/**
 * The eight stages of every effect, in their order, one function each. A stage either ends the call with an
 * {@link Ending} or hands on what the next one needs; nothing here decides twice what an earlier stage decided.
 */
import type { BoundEntry } from "@gatehouse/catalog/Catalog"
import { Authorized } from "@gatehouse/core/Authorized"
import type { EffectAdapter } from "@gatehouse/core/EffectAdapter"
import {
  ApprovalError,
  BindingError,
  CapabilityError,
  PreflightError,
  PrincipalError,
  type SecretError
} from "@gatehouse/core/EffectError"
import { type EffectPlan, PlanRefused } from "@gatehouse/core/EffectPlan"
import type { EffectRequest } from "@gatehouse/core/EffectRequest"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { ApprovalOutcome, ApprovalQuestion } from "@gatehouse/policy/approvals/Approvals"
import { callPolicy } from "@gatehouse/policy/approvals/CallPolicy"
import type { BoundSecrets } from "@gatehouse/policy/secrets/SecretBinder"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type AdapterRun, makeWitness, runAdapter, type Testimony } from "./AdapterRun.ts"
import type { Admission } from "./AdmittedTurns.ts"
import { earliest } from "./Deadline.ts"
import type { DecidingDependencies, Dependencies } from "./Dependencies.ts"
import { type EndedCall, type Ending, endedBefore } from "./Ending.ts"
import { keptRequest } from "./KeptRequest.ts"
import { liveText } from "./LiveText.ts"
import { planOrDefect } from "./Plan.ts"
import { sourcesOf, toResult, unrecorded } from "./Settlement.ts"
import type { StageLog } from "./StageLog.ts"

/** A call on its way: what the request is bound to. */
export interface BoundCall {
  readonly request: EffectRequest
  readonly turn: TurnContext
  readonly admission: Admission
  readonly bound: BoundEntry
}

type Passed<A> = Either.Either<A, Ending>

/** 1: the request belongs to this turn's catalog, and its arguments fit the schema. */
export const binding = (
  request: EffectRequest,
  turn: TurnContext,
  log: StageLog,
  dependencies: DecidingDependencies
): Passed<BoundCall> => {
  const admission = dependencies.turns.admissionOf(turn)
  const bound = admission?.catalog.bound(request) ?? null
  if (admission === null || bound === null || bound.entry.name !== request.name) {
    return refuse(
      log,
      "binding",
      "the request is not of this turn's catalog",
      "invalid",
      (message) =>
        new BindingError({
          reason: "foreign",
          message,
          remedy: "resolve the name in the catalog of the turn and make the request from its reference"
        })
    )
  }
  const fault = dependencies.argumentSchemas.validate(bound.entry.inputSchema, request.arguments)
  if (fault !== null) {
    return refuse(
      log,
      "binding",
      "the arguments do not fit the schema",
      "invalid",
      () =>
        new BindingError({
          reason: "arguments",
          message: fault.path === "" ? `the arguments: ${fault.message}` : `${fault.path}: ${fault.message}`,
          remedy: "correct the argument that is named"
        })
    )
  }
  log.record("binding", "passed", `${bound.entry.provenance} of catalog ${admission.catalog.id.slice(0, 12)}`)
  return Either.right({ request, turn, admission, bound })
}

/** 2: the turn's scope was issued by this host and is still valid. */
export const principal = (call: BoundCall, log: StageLog, dependencies: DecidingDependencies): Passed<BoundCall> => {
  if (!dependencies.principals.recognises(call.turn.principal)) {
    return refuse(
      log,
      "principal",
      "the principal was not issued by this host, or is not valid any more",
      "denied",
      (message) => new PrincipalError({ message, remedy: "start a new session" })
    )
  }
  log.record("principal", "passed", call.turn.principal.kind)
  return Either.right(call)
}

/** 3: the turn's immutable snapshot grants what the entry requires. */
export const capability = (call: BoundCall, log: StageLog, dependencies: DecidingDependencies): Passed<BoundCall> => {
  const { entry } = call.bound
  if (entry.capability === null) {
    log.record("capability", "passed", "no capability is required")
    return Either.right(call)
  }
  const grant = dependencies.grants(call.turn.capabilities).match(entry.capability, "gate", entry.component)
  if (!grant.granted) {
    const required = entry.capability
    return refuse(
      log,
      "capability",
      `capability ${required} is not granted`,
      "denied",
      (message) =>
        new CapabilityError({
          capability: required,
          message,
          remedy: `the owner of the core grants it in agent.yaml: capabilities.defaults.${required}`
        })
    )
  }
  log.record("capability", "passed", `granted by ${grant.by}`)
  return Either.right(call)
}

/** A call whose plan is known. */
export interface PlannedCall<Prepared> extends BoundCall {
  readonly adapter: EffectAdapter<Prepared>
  readonly plan: EffectPlan<Prepared>
  /** The stricter of entry and plan, and what decided it. */
  readonly question: ApprovalQuestion
  /** Milliseconds since the epoch; a secret's time runs from here, while an approver thinks too. */
  readonly plannedAt: number
}

/** 4: the adapter says what it would do; its own checks may refuse or tighten. */
export const preflight = <Prepared>(
  call: BoundCall,
  adapter: EffectAdapter<Prepared>,
  log: StageLog,
  dependencies: DecidingDependencies
): Passed<PlannedCall<Prepared>> => {
  const plan = planOrDefect(adapter, call.request.arguments, call.turn)
  if (Either.isLeft(plan)) {
    log.record("preflight", "failed", "the adapter's plan broke off")
    return Either.left(endedBefore("failed", plan.left.error, plan.left.cause))
  }
  if (plan.right instanceof PlanRefused) {
    const { message, rule, status } = plan.right
    return refuse(
      log,
      "preflight",
      rule,
      status,
      () => new PreflightError({ reason: status, rule, message, remedy: "" })
    )
  }
  const { entry } = call.bound
  const plannedAt = dependencies.clock.unsafeCurrentTimeMillis()
  const waits = entry.source === "connect" ? dependencies.openingQuestionMillis : dependencies.questionMillis
  const deadline = Math.min(plannedAt + waits, call.turn.deadline ?? Number.POSITIVE_INFINITY)
  const { decidedBy, policy } = callPolicy({
    entry,
    plan: plan.right,
    core: call.admission.core.approval,
    global: dependencies.globalApproval
  })
  log.record(
    "preflight",
    "passed",
    `${plan.right.action}: ${plan.right.because[0]?.rule ?? "nothing stands against it"}`
  )
  return Either.right({
    ...call,
    adapter,
    plan: plan.right,
    question: {
      callId: call.request.callId,
      turn: call.turn,
      entry,
      arguments: call.request.arguments,
      plan: plan.right,
      policy,
      decidedBy,
      deadline
    },
    plannedAt
  })
}

/** 5: policy, an earlier answer or a person allows it. */
export const approval = <Prepared>(
  call: PlannedCall<Prepared>,
  log: StageLog,
  dependencies: DecidingDependencies
): Effect.Effect<Passed<PlannedCall<Prepared>>> =>
  Effect.map(dependencies.approvals.decide(call.question), (outcome) => {
    if (outcome.decision === "denied") return deniedApproval(outcome, log)
    log.record("approval", "passed", `${outcome.how}: ${outcome.rule}`)
    return Either.right(call)
  })

/** 6: exactly what was approved is read, for as short as it was approved. */
export const secrets = <Prepared>(
  call: PlannedCall<Prepared>,
  log: StageLog,
  dependencies: Dependencies
): Effect.Effect<Passed<BoundSecrets>> => {
  if (call.plan.secrets.length === 0) {
    log.record("secrets", "passed", "none are bound")
    return Effect.succeed(Either.right(noSecrets))
  }
  return Effect.match(dependencies.secretBinder.bind(call.plan.secrets, call.turn, call.plannedAt), {
    onFailure: (error: SecretError): Passed<BoundSecrets> =>
      refuse(log, "secrets", error.reason, error.reason === "missing_capability" ? "denied" : "invalid", () => error),
    onSuccess: (bound): Passed<BoundSecrets> => {
      log.record("secrets", "passed", `bound ${[...bound.values.keys()].join(", ")}`)
      return Either.right(bound)
    }
  })
}

/** 7: the adapter runs, with the one value that lets it, under deadline and cancellation. */
export const adapter = <Prepared>(
  call: PlannedCall<Prepared>,
  bound: BoundSecrets,
  log: StageLog,
  dependencies: Dependencies,
  restore: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
): Effect.Effect<Ending> => {
  const sources = sourcesOf({ arguments: call.request.arguments, secrets: bound }, dependencies)
  const live = liveText(call.request.callId, sources, dependencies)
  const { testimony, witness } = makeWitness(live.write)
  // The clock of the call starts here: what a person took to answer is not the call's time.
  const { deadline, deadlineBy } = earliest(
    dependencies.clock.unsafeCurrentTimeMillis(),
    call.plan.timeoutMillis ?? dependencies.callTimeoutMillis,
    call.turn.deadline,
    bound.expiresAt
  )
  const authorized = Authorized.mint({
    callId: call.request.callId,
    entry: call.bound.entry,
    turn: call.turn,
    arguments: call.request.arguments,
    plan: call.plan,
    secrets: bound.values,
    deadline,
    witness
  })
  const run: AdapterRun = {
    run: Effect.suspend(() => call.adapter.run(authorized)),
    deadline,
    deadlineBy,
    cancellation: call.turn.cancellation,
    readOnly: call.plan.readOnly || call.bound.entry.readOnly,
    cleanupLimitMillis: dependencies.cleanupLimitMillis
  }
  return Effect.map(runAdapter(run, testimony, restore), (ending) => {
    live.end()
    log.record("adapter", ending.status === "succeeded" ? "passed" : "failed", adapterRule(ending, testimony))
    return ending
  })
}

/** 8: what was raw becomes five views, the outcome is recorded, and everybody who listens is told. */
export const settle = (
  call: EndedCall,
  ending: Ending,
  log: StageLog,
  dependencies: Dependencies
): Effect.Effect<EffectResult> =>
  Effect.suspend(() => {
    const result = toResult(call, ending, log, dependencies)
    const at = dependencies.clock.unsafeCurrentTimeMillis()
    const { turn } = call
    const readOnly = (call.plan?.readOnly ?? false) || (call.entry?.readOnly ?? false)
    // A call that began has its request in its intent.
    const request = ending.executionStarted ? {} : keptRequest(call, dependencies)
    return dependencies.records.settle({ turn, result, durable: result.views.durable, at, readOnly, ...request }).pipe(
      Effect.as(result),
      Effect.catchTag("StoreError", (error) => Effect.succeed(unrecorded(result, error, dependencies))),
      Effect.tap((settled) =>
        dependencies.events.publish({
          type: "effect.settled",
          session: turn.session,
          turn: turn.id,
          call: settled.callId,
          at,
          data: settled.views.event.data ?? settled.views.event.text
        })
      )
    )
  })

const noSecrets: BoundSecrets = { values: new Map(), expiresAt: null }

const adapterRule = (ending: Ending, testimony: Testimony): string =>
  ending.error === null ? "ended by itself" : (testimony.unconfirmed ?? ending.error.message)

const refuse = <A>(
  log: StageLog,
  stage: Parameters<StageLog["record"]>[0],
  rule: string,
  status: Ending["status"],
  error: (message: string) => NonNullable<Ending["error"]>
): Passed<A> => {
  log.record(stage, "refused", rule)
  return Either.left(endedBefore(status, error(rule)))
}

const deniedApproval = <A>(outcome: Extract<ApprovalOutcome, { decision: "denied" }>, log: StageLog): Passed<A> => {
  log.record("approval", "refused", outcome.rule)
  const reason = outcome.reason === "revoked" ? "closed" : outcome.reason
  return Either.left(
    endedBefore(
      "denied",
      new ApprovalError({ reason, message: `the call was not approved: ${outcome.rule}`, remedy: outcome.remedy })
    )
  )
}
