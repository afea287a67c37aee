/** What a terminal call asks for, and what an answer to its question covers. Pure. */
import { keyedFingerprint } from "@gatehouse/core/Fingerprint"
import type { Json } from "@gatehouse/core/Json"
import type { Policy } from "@gatehouse/core/Policy"
import { graver, type Risk } from "@gatehouse/core/Risk"
import type { CommandDecision } from "../commands/CommandReview.ts"

export interface TerminalCircumstances {
  readonly review: { readonly decision: CommandDecision; readonly risk: Risk }
  /** Whether the call adds environment variables. */
  readonly overlay: boolean
  /** Whether it wants secrets bound. */
  readonly secrets: boolean
}

export interface TerminalApproval {
  readonly policy: Policy
  readonly risk: Risk
  readonly sessionCacheable: boolean
}

/**
 * `policy`, `risk` and `sessionCacheable` of a terminal plan: what the review says, and a person for whatever the call
 * adds to the command. The terminal's own entry is `auto` and `low`, so that a command that only reads runs unasked.
 */
export const terminalApproval = ({ overlay, review, secrets }: TerminalCircumstances): TerminalApproval => {
  const added = overlay || secrets
  const risk = added ? graver(review.risk, "high") : review.risk
  if (review.decision === "block") return { policy: "deny", risk, sessionCacheable: !secrets }
  return { policy: added || review.decision === "prompt" ? "prompt" : "auto", risk, sessionCacheable: !secrets }
}

export interface TerminalShapeInput {
  readonly command: string
  /** Absolute, links resolved. */
  readonly cwd: string
  /** What the call adds, names and values. */
  readonly overlay: Readonly<Record<string, string>>
  readonly background: boolean
  readonly timeoutSeconds: number
}

/**
 * The shape that an answer is bound to, as `approvalShape` of a plan. It is one keyed fingerprint: neither the command
 * nor a value of the overlay can be read or guessed from it, and no other command, folder, overlay or option has it.
 */
export const terminalShape = (key: Uint8Array, input: TerminalShapeInput): Json => ({
  terminal: keyedFingerprint(key, [
    input.command,
    input.cwd,
    Object.entries(input.overlay).sort(([left], [right]) => (left < right ? -1 : 1)),
    input.background,
    input.timeoutSeconds
  ])
})
