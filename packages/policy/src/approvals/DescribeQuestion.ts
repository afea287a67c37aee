/** A question as people and records see it: everything redacted, everything bounded. Pure. */
import { boundedText } from "@gatehouse/core/BoundedText"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { PlanReason } from "@gatehouse/core/EffectPlan"
import type { PrincipalId } from "@gatehouse/core/Identifiers"
import { freezeJson, type Json } from "@gatehouse/core/Json"
import type { PendingApproval, StandingOffer } from "@gatehouse/core/PendingApprovals"
import * as Either from "effect/Either"
import { approvalPreviewBounds, approvalTextBounds, argumentPreviewBounds } from "../redaction/Limits.ts"
import type { Redactor, SecretSources } from "../redaction/Redactor.ts"
import type { ApprovalQuestion } from "./Approvals.ts"
import { suggestStanding } from "./standing/StandingSuggestion.ts"

/** What describing needs: how secrets are hidden, and under which name an answer for a principal is offered. */
export interface QuestionWords {
  readonly redactor: QuestionRedactor
  /** Default: its id. */
  readonly principalName?: ((id: PrincipalId) => string) | undefined
}

type QuestionRedactor = { readonly [Method in "preview" | "text"]: (typeof Redactor.Service)[Method] }

/** The record of `question`: first redacted, then cut, so that no limit halves a secret. */
export const describeQuestion = (
  question: ApprovalQuestion,
  opened: Pick<PendingApproval, "id" | "createdAt" | "deadline">,
  { redactor, principalName = (id) => id }: QuestionWords
): PendingApproval => {
  const { callId, decidedBy, entry, plan, policy, turn } = question
  const shown = (text: string, limit: number): string => boundedText(redactor.text(text, noSources), limit)
  const targetLimit = plan.subject.kind === "command" ? approvalTextBounds.command : approvalTextBounds.target
  const standing = offerOf(question, redactor, principalName)
  return {
    ...opened,
    principal: turn.principal.id,
    session: turn.session,
    turn: turn.id,
    call: callId,
    coreRevision: turn.coreRevision,
    capabilities: turn.capabilities.fingerprint,
    policy,
    entry: entry.fingerprint,
    tool: entry.name,
    provenance: entry.provenance,
    action: shown(plan.action, approvalTextBounds.summary),
    target: shown(plan.target, targetLimit),
    risk: plan.risk,
    preview: previewOf(entry, plan.preview, redactor),
    because: plan.because.map((reason) => shownReason(reason, shown)),
    decidedBy,
    sessionCacheable: plan.sessionCacheable && plan.secrets.length === 0,
    ...(standing === null ? {} : { standing })
  }
}

const noSources: SecretSources = { bindings: new Map(), environment: {}, headers: {} }

/** Nothing is offered that would write down what redaction hides. */
const offerOf = (
  question: ApprovalQuestion,
  redactor: Pick<QuestionRedactor, "text">,
  principalName: (id: PrincipalId) => string
): StandingOffer | null => {
  const suggestion = suggestStanding(question, (text) => redactor.text(text, noSources) === text)
  if (suggestion === null) return null
  const principal = principalName(question.turn.principal.id)
  return Either.match(freezeJson({ ...suggestion.answer, principal }), {
    onLeft: () => null,
    onRight: (answer) => ({ label: suggestion.label, answer })
  })
}

const previewOf = ({ source }: EffectEntry, preview: Json, redactor: Pick<QuestionRedactor, "preview">): Json =>
  redactor.preview(
    preview,
    noSources,
    source === "authored" || source === "mcp" ? argumentPreviewBounds : approvalPreviewBounds
  )

/** Positions stay only where redaction left the text as it was. */
const shownReason = (reason: PlanReason, shown: (text: string, limit: number) => string): PlanReason => {
  const rule = shown(reason.rule, approvalTextBounds.summary)
  if (reason.text === undefined) return { ...reason, rule }
  const text = shown(reason.text, approvalTextBounds.summary)
  return text === reason.text ? { ...reason, rule } : { rule, text }
}
