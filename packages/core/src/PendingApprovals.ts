/**
 * The port of the one authoritative record per question. The terminal, `gatehouse approvals`, an operator's page and
 * an MCP client's elicitation all resolve the same record: the first answer counts, later ones are told so.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { PlanReason } from "./EffectPlan.ts"
import type { Fingerprint } from "./Fingerprint.ts"
import type { ApprovalId, CallId, CoreRevision, PrincipalId, SessionId, TurnId } from "./Identifiers.ts"
import type { Json } from "./Json.ts"
import type { Policy } from "./Policy.ts"
import type { Risk } from "./Risk.ts"

/** A standing answer that a question suggests, for the host's owner to keep or not. */
export interface StandingOffer {
  /** For people: `always for npm test`. */
  readonly label: string
  /** As policy writes it (`StandingSuggestion.ts`): all but the reason and the last day. */
  readonly answer: Json
}

/** A question and what its answer binds. Everything in it is redacted. */
export interface PendingApproval {
  readonly id: ApprovalId
  readonly principal: PrincipalId
  readonly session: SessionId
  readonly turn: TurnId
  readonly call: CallId
  readonly coreRevision: CoreRevision
  readonly capabilities: Fingerprint
  readonly policy: Policy
  readonly entry: Fingerprint
  readonly tool: string
  readonly provenance: string
  readonly action: string
  readonly target: string
  readonly risk: Risk
  readonly preview: Json
  readonly because: ReadonlyArray<PlanReason>
  readonly decidedBy: string
  readonly sessionCacheable: boolean
  /** "Always for …": the narrowest standing answer that would cover the call, where one may. */
  readonly standing?: StandingOffer
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly deadline: number
}

export interface ApprovalResolution {
  /** As it was given; any word but `allow`, `deny`, `always_allow_for_session` is a denial. */
  readonly answer: string
  /** The surface that it came from: `terminal`, `command line`, `standing answer 3`, `deadline`. */
  readonly by: string
  readonly at: number
}

/** The record could not be kept or read: the question is denied. */
export class ApprovalStoreError extends Data.TaggedError("ApprovalStoreError")<{ readonly message: string }> {}

export class PendingApprovals extends Context.Tag("@gatehouse/core/PendingApprovals")<
  PendingApprovals,
  {
    readonly open: (approval: PendingApproval) => Effect.Effect<void, ApprovalStoreError>
    /** The first resolution, from whatever surface or process; waits for it. */
    readonly resolution: (id: ApprovalId) => Effect.Effect<ApprovalResolution, ApprovalStoreError>
    /** `recorded` for the first answer; `late` says that another came first. */
    readonly resolve: (
      id: ApprovalId,
      resolution: ApprovalResolution
    ) => Effect.Effect<"recorded" | "late" | "not_found", ApprovalStoreError>
    readonly list: (principal: PrincipalId) => Effect.Effect<ReadonlyArray<PendingApproval>, ApprovalStoreError>
  }
>() {}
