/** A question as people and records see it: everything redacted, nothing that a terminal obeys, everything bounded. Pure. */
import { boundedText } from "@gatehouse/core/BoundedText"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { PlanReason } from "@gatehouse/core/EffectPlan"
import type { PrincipalId } from "@gatehouse/core/Identifiers"
import { freezeJson, type Json } from "@gatehouse/core/Json"
import type { PendingApproval, StandingOffer } from "@gatehouse/core/PendingApprovals"
import * as Either from "effect/Either"
import { approvalPreviewBounds, approvalTextBounds, argumentPreviewBounds } from "../redaction/Limits.ts"
import type { Redactor, SecretSources } from "../redaction/Redactor.ts"
import { visibleJson, visibleText } from "../redaction/TerminalText.ts"
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
  const sources = sourcesOf(question)
  const shown = (text: string, limit: number): string => boundedText(visibleText(redactor.text(text, sources)), limit)
  const target = shown(plan.target, Number.POSITIVE_INFINITY)
  const targetLimit = plan.subject.kind === "command" ? approvalTextBounds.command : approvalTextBounds.target
  const standing = offerOf(question, sources, redactor, principalName)
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
    target: boundedText(target, targetLimit),
    risk: plan.risk,
    preview: previewOf(entry, plan.preview, sources, redactor),
    because: plan.because.map((reason) => shownReason(reason, target === plan.target, shown)),
    decidedBy,
    sessionCacheable: plan.sessionCacheable && plan.secrets.length === 0,
    ...(standing === null ? {} : { standing })
  }
}

/** Nothing is bound yet; what the arguments tell is known. */
const sourcesOf = ({ arguments: args }: ApprovalQuestion): SecretSources => ({
  bindings: new Map(),
  environment: {},
  headers: {},
  ...(args === undefined ? {} : { arguments: args })
})

/** Nothing is offered that would write down what redaction hides. */
const offerOf = (
  question: ApprovalQuestion,
  sources: SecretSources,
  redactor: Pick<QuestionRedactor, "text">,
  principalName: (id: PrincipalId) => string
): StandingOffer | null => {
  const suggestion = suggestStanding(question, (text) => redactor.text(text, sources) === text)
  if (suggestion === null) return null
  const principal = principalName(question.turn.principal.id)
  return Either.match(freezeJson({ ...suggestion.answer, principal }), {
    onLeft: () => null,
    onRight: (answer) => ({ label: suggestion.label, answer })
  })
}

const previewOf = (
  { source }: EffectEntry,
  preview: Json,
  sources: SecretSources,
  redactor: Pick<QuestionRedactor, "preview">
): Json =>
  visibleJson(
    redactor.preview(
      preview,
      sources,
      source === "authored" || source === "mcp" ? argumentPreviewBounds : approvalPreviewBounds
    )
  )

/** Positions stay only where the target is shown as it is. */
const shownReason = (
  { end, rule, start, text }: PlanReason,
  isPlain: boolean,
  shown: (text: string, limit: number) => string
): PlanReason => ({
  rule: shown(rule, approvalTextBounds.summary),
  ...(text === undefined ? {} : { text: shown(text, approvalTextBounds.summary) }),
  ...(isPlain && start !== undefined && end !== undefined ? { start, end } : {})
})
