/**
 * One approval contract over every source: whether a planned effect may run, and who said so.
 */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectPlan } from "@gatehouse/core/EffectPlan"
import type { ApprovalId, CallId, PrincipalId, SessionId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { PendingApprovals } from "@gatehouse/core/PendingApprovals"
import type { Policy } from "@gatehouse/core/Policy"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Redactor } from "../redaction/Redactor.ts"
import type { ApprovalPrompter } from "./ApprovalPrompter.ts"
import { makeApprovals } from "./ApprovalsLive.ts"
import type { StandingAnswers } from "./standing/StandingAnswers.ts"

export interface ApprovalQuestion {
  readonly callId: CallId
  readonly turn: TurnContext
  readonly entry: EffectEntry
  /** What they tell to be secret is hidden wherever else the question would show it. */
  readonly arguments?: Json
  readonly plan: EffectPlan<unknown>
  /** The stricter of the entry's policy and the plan's, with what decided it. */
  readonly policy: Policy
  readonly decidedBy: string
  /** Milliseconds since the epoch after which no answer helps: the caller's own deadline. */
  readonly deadline: number
}

export type ApprovalOutcome =
  | { readonly decision: "allowed"; readonly how: "auto" | "cached" | "prompted" | "standing"; readonly rule: string }
  | {
      readonly decision: "denied"
      readonly reason: "policy" | "person" | "nobody" | "expired" | "closed" | "revoked" | "store"
      readonly rule: string
      readonly remedy: string
      /** The question that was asked, where one was. */
      readonly approval: ApprovalId | null
    }

export interface ApprovalsOptions {
  /** The home's key: events name a rule by a fingerprint that only this home can make. */
  readonly fingerprintKey: Uint8Array
  /** Read for each question, so that answers added while the host runs count. Default: none. */
  readonly standing?: Effect.Effect<StandingAnswers>
  /** The name under which a standing answer for a principal is offered. Default: its id. */
  readonly principalName?: (id: PrincipalId) => string
}

export class Approvals extends Context.Tag("@gatehouse/policy/Approvals")<
  Approvals,
  {
    /** Never fails: whatever goes wrong with a question is a denial with its reason. Interruption frees the slot. */
    readonly decide: (question: ApprovalQuestion) => Effect.Effect<ApprovalOutcome>
    /** A session ended or was replaced: its answers and questions go. */
    readonly dropSession: (session: SessionId) => Effect.Effect<void>
    /** A principal was revoked: its answers go, and a question that is pending is denied. */
    readonly revoke: (principal: PrincipalScope) => Effect.Effect<void>
    /** A core was promoted or rolled back: the answers given for it go. */
    readonly dropCore: (coreRoot: string) => Effect.Effect<void>
  }
>() {
  /**
   * The approvals of one host. When the layer's scope closes, every remembered answer goes, what is pending is denied,
   * and later questions are denied without asking.
   *
   * Remembered answers are measured on `Clock.currentTimeNanos`, which counts from the monotonic clock of the process
   * (`process.hrtime`) and does not follow a wall clock that is set.
   */
  static readonly layer = (
    options: ApprovalsOptions
  ): Layer.Layer<Approvals, never, PendingApprovals | ApprovalPrompter | Redactor | RuntimeEvents> =>
    Layer.scoped(Approvals, makeApprovals(options))
}
