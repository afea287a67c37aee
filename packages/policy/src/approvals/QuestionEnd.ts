/** How a question ended, and the words in which a call hears it. Pure. */
import type { ApprovalId } from "@gatehouse/core/Identifiers"
import type { ApprovalCache, OpenQuestion, Voiding } from "./ApprovalCache.ts"
import type { ApprovalOutcome, ApprovalQuestion } from "./Approvals.ts"
import type { Posed } from "./PoseQuestion.ts"
import { type StandingVerdict, standingName } from "./standing/StandingAnswers.ts"

export type DenialReason = Extract<ApprovalOutcome, { readonly decision: "denied" }>["reason"]

export type QuestionEnd =
  | {
      readonly decision: "allowed"
      /** The surface that answered, or the standing answer with its reason. */
      readonly by: string
      readonly how: "prompted" | "standing"
      /** Whether the answer is remembered for the session. */
      readonly kept: boolean
      readonly approval: ApprovalId
    }
  | {
      readonly decision: "denied"
      /** The surface that answered, or what ended the question. */
      readonly by: string
      readonly reason: DenialReason
      readonly approval: ApprovalId | null
    }

/** What the cache makes of an answer, or of its absence. */
export const settleQuestion = (
  cache: ApprovalCache,
  question: OpenQuestion,
  posed: Posed,
  verdict: StandingVerdict | null,
  now: bigint
): QuestionEnd => {
  const { approval } = posed
  if (posed.kind !== "answered") {
    cache.withdraw(question)
    const reason = posed.kind === "expired" ? "expired" : "store"
    return { decision: "denied", by: reason === "expired" ? "deadline" : "store", reason, approval }
  }
  const settled = cache.settle(question, posed.answer, now)
  const standing = verdict !== null && posed.by === standingName(verdict)
  const by = standing ? `${posed.by}: ${verdict.reason}` : posed.by
  if (settled.decision === "allowed") {
    return {
      decision: "allowed",
      by,
      how: standing ? "standing" : "prompted",
      kept: settled.kept,
      approval: posed.approval
    }
  }
  if (settled.reason !== "person") return voidedEnd(settled.reason, approval)
  return { decision: "denied", by, reason: posed.by === "deadline" ? "expired" : "person", approval }
}

/** The end of a question whose fiber was interrupted: its authority went, the host closed, or nobody waits. */
export const interruptedQuestion = (cache: ApprovalCache, question: OpenQuestion, now: bigint): QuestionEnd => {
  const settled = cache.settle(question, "deny", now)
  return voidedEnd(settled.decision === "denied" && settled.reason !== "person" ? settled.reason : "over", null)
}

const voidedEnd = (voiding: Voiding, approval: ApprovalId | null): QuestionEnd => {
  const reason = voiding === "over" ? "expired" : voiding
  return {
    decision: "denied",
    by: voiding === "closed" ? "host" : voiding === "revoked" ? "revocation" : "caller",
    reason,
    approval
  }
}

/** The outcome for a call that waited. */
export const outcomeOf = (end: QuestionEnd, { decidedBy }: ApprovalQuestion): ApprovalOutcome =>
  end.decision === "allowed"
    ? {
        decision: "allowed",
        how: end.how,
        rule: end.how === "standing" ? `decided by ${end.by}` : `allowed by ${end.by}; asked because of ${decidedBy}`
      }
    : {
        decision: "denied",
        reason: end.reason,
        rule: ruleOf(end.reason, end.by, decidedBy),
        remedy: remedies[end.reason],
        approval: end.approval
      }

const ruleOf = (reason: DenialReason, by: string, decidedBy: string): string => {
  switch (reason) {
    case "policy":
      return decidedBy
    case "person":
      return `denied by ${by}; asked because of ${decidedBy}`
    case "nobody":
      return `${decidedBy} asks, and nobody can be asked here`
    case "expired":
      return `${decidedBy} asks, and nobody answered in time`
    case "closed":
      return "the host is closed"
    case "revoked":
      return "the authority behind the question went while it was open"
    case "store":
      return "the question could not be recorded, and is not asked without a record"
  }
}

const remedies: Readonly<Record<DenialReason, string>> = {
  policy: "Change the named setting, if it is yours to change.",
  person: "Do something else, or explain to the person why it is needed.",
  nobody: "Call from a terminal, answer with `gatehouse approvals`, or let the host's owner add a standing answer.",
  expired: "Call again while somebody can answer.",
  closed: "Start the host again.",
  revoked: "Begin a new session with an authority that holds.",
  store: "Run `gatehouse doctor`: it says what is wrong with the home's store."
}
