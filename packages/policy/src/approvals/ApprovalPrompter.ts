/**
 * The port through which a person (or nobody, or a script) is asked. Surfaces resolve one pending record; the
 * first answer counts.
 */
import type { PendingApproval } from "@gatehouse/core/PendingApprovals"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** What a person sees of a pending question: redacted and bounded before it gets here. */
export type ApprovalPrompt = Pick<
  PendingApproval,
  | "id"
  | "session"
  | "call"
  | "tool"
  | "provenance"
  | "action"
  | "target"
  | "risk"
  | "preview"
  | "because"
  | "decidedBy"
  | "sessionCacheable"
  | "standing"
  | "deadline"
>

export const approvalAnswers = ["allow", "deny", "always_allow_for_session"] as const
export type ApprovalAnswer = (typeof approvalAnswers)[number]

export class ApprovalPrompter extends Context.Tag("@gatehouse/policy/ApprovalPrompter")<
  ApprovalPrompter,
  {
    /** How records name it: `terminal`, `elicitation`. Default: `approver`. */
    readonly surface?: string
    /** Whether somebody can be asked at all; without it a prompt is a denial. */
    readonly available: boolean
    /** The answer as it was given: any word that is no {@link ApprovalAnswer} is a denial. */
    readonly ask: (prompt: ApprovalPrompt) => Effect.Effect<string>
  }
>() {
  /** Nobody can be asked: every question is a denial, and no record is opened. */
  static readonly layerNever = Layer.succeed(ApprovalPrompter, { available: false, ask: () => Effect.succeed("deny") })

  /** Asks nobody itself; the open record is resolved by another surface, or ends at its deadline. */
  static readonly layerElsewhere = Layer.succeed(ApprovalPrompter, {
    surface: "elsewhere",
    available: true,
    ask: () => Effect.never
  })

  /** Gives these answers in their order, and denies after the last; what was asked is put into `asked`. */
  static readonly layerScripted = (
    answers: ReadonlyArray<string>,
    asked: Array<ApprovalPrompt> = []
  ): Layer.Layer<ApprovalPrompter> =>
    Layer.succeed(ApprovalPrompter, {
      surface: "script",
      available: true,
      ask: (prompt) => Effect.sync(() => answers[asked.push(prompt) - 1] ?? "deny")
    })
}
