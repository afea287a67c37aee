/** Explains calls without doing anything: the words for {@link walkRequest}. */
import { makeArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import { mergeInput } from "@gatehouse/catalog/freezing/EntrySettings"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import type { EffectError } from "@gatehouse/core/EffectError"
import { ApprovalId, CallId, Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import { PrincipalScopes } from "@gatehouse/core/PrincipalScopes"
import { type ApprovalQuestion, Approvals } from "@gatehouse/policy/approvals/Approvals"
import { callVoices } from "@gatehouse/policy/approvals/CallPolicy"
import { describeQuestion } from "@gatehouse/policy/approvals/DescribeQuestion"
import { explainMerge } from "@gatehouse/policy/approvals/PolicyMerge"
import { pendingLimitMillis } from "@gatehouse/policy/approvals/PoseQuestion"
import type { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import { explainStandingAnswers } from "@gatehouse/policy/approvals/standing/StandingAnswers"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { HostOptions } from "../Host.ts"
import { AdmittedTurns } from "../runtime/AdmittedTurns.ts"
import type { DecidingDependencies } from "../runtime/Dependencies.ts"
import { compiledOnce } from "../runtime/EffectRuntime.ts"
import { unknownName } from "../runtime/ExecuteCall.ts"
import type { BoundCall } from "../runtime/Stages.ts"
import { principalName, withPrincipalIds } from "../settings/StandingPrincipals.ts"
import type { Turn } from "../turns/Turns.ts"
import type { BroughtEntries } from "./BroughtEntries.ts"
import { unboundStages, type Walked, walkRequest } from "./ExplainRequest.ts"
import type { ExplainedEntry, ExplainedPlan, Explanation } from "./Explanation.ts"

/** What the first five stages use, where nobody can be asked. */
export class DryDependencies extends Context.Tag("@gatehouse/host/DryDependencies")<
  DryDependencies,
  DecidingDependencies
>() {
  static readonly layer = ({ settings }: Pick<HostOptions, "settings">) =>
    Layer.effect(
      DryDependencies,
      Effect.gen(function* () {
        return {
          turns: yield* AdmittedTurns,
          principals: yield* PrincipalScopes,
          grants: compiledOnce(),
          globalApproval: settings.approval,
          argumentSchemas: makeArgumentSchemas(),
          approvals: yield* Approvals,
          clock: yield* Effect.clock,
          questionMillis: pendingLimitMillis,
          openingQuestionMillis: pendingLimitMillis
        }
      })
    )
}

export class Explainer extends Context.Tag("@gatehouse/host/Explainer")<
  Explainer,
  {
    /** How a call of `name` with `args` would fare in `turn`. Nothing is started, asked, written or sent. */
    readonly explain: (turn: Turn, name: string, args: unknown) => Effect.Effect<Explanation>
    /** The question that a call would put, whether or not anybody would be asked; null where it has no plan. */
    readonly question: (turn: Turn, name: string, args: unknown) => Effect.Effect<ApprovalQuestion | null>
  }
>() {
  static readonly layer = ({ settings }: Pick<HostOptions, "settings">, brought: BroughtEntries) =>
    Layer.effect(
      Explainer,
      Effect.gen(function* () {
        const dependencies = yield* DryDependencies
        const principals = yield* Principals
        const words = { redactor: yield* Redactor, principalName: principalName(principals) }
        const entropy = yield* Entropy
        const answers = yield* withPrincipalIds(settings.settings.standing_answers)

        const walk = (turn: Turn, name: string, args: unknown): Effect.Effect<Walked> => {
          const ref = turn.catalog.resolve(name)
          if (ref === null) return Effect.succeed(unbound("not_found", unknownName))
          const request = turn.catalog.request(ref, args, CallId(makeIdentifier("call", entropy)))
          return Either.isLeft(request)
            ? Effect.succeed(unbound("invalid", request.left))
            : walkRequest(request.right, turn.context, dependencies)
        }
        return {
          explain: (turn, name, args) =>
            Effect.map(walk(turn, name, args), ({ bound, decision, error, question, stages, status }) => ({
              tool: name,
              catalog: turn.catalog.id,
              coreRevision: turn.catalog.coreRevision,
              decision,
              status,
              error: error === null ? null : { tag: error._tag, message: error.message, remedy: error.remedy },
              stages,
              entry: bound === null ? null : entryOf(bound, turn, brought, dependencies),
              plan: bound === null || question === null ? null : planOf(bound, question, answers, words, dependencies),
              diagnostics: turn.catalog.diagnostics
            })),
          question: (turn, name, args) => Effect.map(walk(turn, name, args), ({ question }) => question)
        }
      })
    )
}

const unbound = (status: "not_found" | "invalid", error: EffectError): Walked => ({
  decision: "refuse",
  status,
  error,
  stages: unboundStages(error.message),
  bound: null,
  question: null
})

const entryOf = (
  { admission, bound: { entry } }: BoundCall,
  turn: Turn,
  brought: BroughtEntries,
  { globalApproval, grants }: DecidingDependencies
): ExplainedEntry => {
  const { core } = admission
  const given = brought.find(turn.context, entry.name)
  const grant =
    entry.capability === null
      ? null
      : grants(turn.context.capabilities).match(entry.capability, "gate", entry.component).by
  const blocks = { core: core.approval, global: globalApproval }
  return {
    source: entry.source,
    provenance: entry.provenance,
    capability: entry.capability,
    grantedAt: grant === null ? null : core.origin(grantPath(grant, entry.component, turn)),
    risk: entry.risk,
    policy: entry.policy.effective,
    decidedBy: entry.policy.decidedBy,
    readOnly: entry.readOnly,
    voices:
      given === null ? [] : explainMerge(mergeInput(entry.source, given, core.metadata.get(entry.name), blocks)).voices
  }
}

/** Where in `agent.yaml` a grant stands: granted to all of the core, or to one component. */
const grantPath = (grant: string, component: string | null, turn: Turn): ReadonlyArray<string> =>
  component === null || turn.context.capabilities.defaults.includes(grant)
    ? ["capabilities", "defaults", grant]
    : ["capabilities", "slots", component, grant]

const planOf = (
  { admission, bound: { entry } }: BoundCall,
  question: ApprovalQuestion,
  answers: ReadonlyArray<StandingAnswer>,
  words: Parameters<typeof describeQuestion>[2],
  { clock, globalApproval }: DecidingDependencies
): ExplainedPlan => {
  const now = clock.unsafeCurrentTimeMillis()
  const described = describeQuestion(
    question,
    { id: ApprovalId("dry run"), createdAt: now, deadline: question.deadline },
    words
  )
  return {
    risk: question.plan.risk,
    policy: question.policy,
    decidedBy: question.decidedBy,
    voices: callVoices({ entry, plan: question.plan, core: admission.core.approval, global: globalApproval }),
    question: described,
    standing: Either.match(explainStandingAnswers(answers), {
      // Settings whose answers do not hold together are refused when they are read.
      onLeft: () => [],
      onRight: (explain) => explain(question, now)
    })
  }
}
