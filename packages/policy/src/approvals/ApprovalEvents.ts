/**
 * What listeners hear about questions: `approval.requested`, `approval.decided` and, for each call that was denied,
 * `approval.denied`, in this order. The rule is named by a fingerprint; no scope, snapshot, target or value is told.
 */
import type { ApprovalId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { bindingKey, bindingOf, ruleFingerprint } from "./ApprovalBinding.ts"
import type { ApprovalQuestion } from "./Approvals.ts"
import type { QuestionEnd } from "./QuestionEnd.ts"

type Denial = Extract<QuestionEnd, { readonly decision: "denied" }>

export interface ApprovalEvents {
  readonly requested: (question: ApprovalQuestion, approval: ApprovalId | null) => Effect.Effect<void>
  readonly decided: (question: ApprovalQuestion, end: QuestionEnd) => Effect.Effect<void>
  readonly denied: (question: ApprovalQuestion, end: Denial) => Effect.Effect<void>
}

export const makeApprovalEvents = (fingerprintKey: Uint8Array): Effect.Effect<ApprovalEvents, never, RuntimeEvents> =>
  Effect.map(RuntimeEvents, (events) => {
    const publish = (
      type: string,
      question: ApprovalQuestion,
      approval: ApprovalId | null,
      data: Record<string, Json>
    ) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) =>
        events.publish({
          type,
          session: question.turn.session,
          turn: question.turn.id,
          call: question.callId,
          at,
          data: {
            approval,
            tool: question.entry.name,
            rule: ruleFingerprint(fingerprintKey, bindingKey(bindingOf(question))),
            ...data
          }
        })
      )
    return {
      requested: (question, approval) =>
        publish("approval.requested", question, approval, {
          policy: question.policy,
          risk: question.plan.risk,
          decidedBy: question.decidedBy
        }),
      decided: (question, end) =>
        publish("approval.decided", question, end.approval, {
          decision: end.decision,
          by: end.by,
          kept: end.decision === "allowed" && end.kept
        }),
      denied: (question, end) => publish("approval.denied", question, end.approval, { reason: end.reason })
    }
  })
