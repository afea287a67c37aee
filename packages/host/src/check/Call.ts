/** `gatehouse check call`: how would this call fare? The only kind that looks at a core and at the host's settings. */
import { localName } from "@gatehouse/control-plane/principals/Principals"
import type { Json, JsonObject } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { ExplainedPlan, Explanation } from "../explain/Explanation.ts"
import { decodeCase } from "./CaseInput.ts"
import { type CheckKind, CheckRefused } from "./CheckKind.ts"

/** `{"tool": "terminal", "arguments": {"command": "npm test"}, "as": "local"}`. */
const CallCase = Schema.Struct({
  tool: Schema.NonEmptyString,
  arguments: Schema.optionalWith(Schema.Record({ key: Schema.String, value: Schema.Unknown }), { default: () => ({}) }),
  as: Schema.optionalWith(Schema.NonEmptyString, { default: () => localName })
})

/** Explains one call for the principal of that name. */
export type ExplainCall = (
  principal: string,
  tool: string,
  args: unknown
) => Effect.Effect<Explanation, { readonly message: string }>

/** The kind over a dry host. */
export const callCheck = (explain: ExplainCall): CheckKind => ({
  name: "call",
  summary: "how would this call fare, stage by stage?",
  decide: (input) =>
    Effect.flatMap(decodeCase(CallCase, input), (question) =>
      explain(question.as, question.tool, question.arguments).pipe(
        Effect.mapBoth({
          onFailure: ({ message }) => new CheckRefused({ message }),
          onSuccess: (explanation) => explanationAnswer(explanation, question.as)
        })
      )
    )
})

/** An explanation in the form of the other answers of `gatehouse check`. */
export const explanationAnswer = (explanation: Explanation, principal: string): JsonObject => {
  const { catalog, coreRevision, decision, diagnostics, entry, error, plan, stages, status, tool } = explanation
  const last = stages.findLast(({ verdict }) => verdict !== "skipped")
  return {
    decision,
    status,
    stage: last?.stage ?? null,
    rule: last?.rule ?? null,
    tool,
    principal,
    catalog,
    core_revision: coreRevision,
    risk: plan?.risk ?? entry?.risk ?? null,
    policy: plan?.policy ?? entry?.policy ?? null,
    decided_by: plan?.decidedBy ?? entry?.decidedBy ?? null,
    error,
    stages: stages.map(({ micros, rule, stage, verdict }) => ({ stage, verdict, rule, micros })),
    entry:
      entry === null
        ? null
        : {
            source: entry.source,
            provenance: entry.provenance,
            capability: entry.capability,
            granted_at: entry.grantedAt,
            risk: entry.risk,
            policy: entry.policy,
            decided_by: entry.decidedBy,
            read_only: entry.readOnly,
            voices: entry.voices.map(({ by, origin, policy }) => ({ by, policy, origin }))
          },
    ...(plan === null ? noPlan : planAnswer(plan)),
    diagnostics: diagnostics.map(({ message, remedy, severity, subject }) => ({ subject, severity, message, remedy }))
  }
}

const noPlan = { session_cacheable: null, standing_answer: null, voices: [], question: null, standing: [] }

const planAnswer = ({ question, standing, voices }: ExplainedPlan): Record<string, Json> => {
  const answering = standing.find(({ whyNot }) => whyNot === null)
  return {
    session_cacheable: question.sessionCacheable,
    standing_answer: answering?.number ?? null,
    voices: voices.map(({ by, origin, policy }) => ({ by, policy, origin })),
    question: {
      action: question.action,
      target: question.target,
      risk: question.risk,
      preview: question.preview,
      because: question.because.map((reason) => ({ ...reason })),
      always: question.standing?.label ?? null
    },
    standing: standing.map(({ answer, number, reason, whyNot }) => ({ number, answer, reason, why_not: whyNot }))
  }
}
