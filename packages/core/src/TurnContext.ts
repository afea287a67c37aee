/**
 * One admitted run of a session: who, under which authority, where, until when. Taken once when the turn is
 * admitted and frozen; what changes on disk afterwards counts for the next turn.
 */
import type { Fingerprint } from "./Fingerprint.ts"
import type { CoreRevision, SessionId, TurnId } from "./Identifiers.ts"
import type { PrincipalScope } from "./PrincipalScope.ts"

/** What the core grants, as it was at admission. */
export interface CapabilitySnapshot {
  readonly fingerprint: Fingerprint
  /** Grants to everything in the core: exact names, or `<name>:*`. */
  readonly defaults: ReadonlyArray<string>
  /** Grants to one component only, by its path in the core (`agent/tools/note`). */
  readonly components: Readonly<Record<string, ReadonlyArray<string>>>
}

export interface TurnContext {
  readonly id: TurnId
  readonly principal: PrincipalScope
  readonly session: SessionId
  readonly coreRevision: CoreRevision
  /** Folder that holds `agent.yaml`; absolute, links resolved. */
  readonly coreRoot: string
  readonly capabilities: CapabilitySnapshot
  /** Folder that the model works in; absolute, links resolved. */
  readonly workspace: string
  /** Milliseconds since the epoch on Effect's `Clock`; null where the turn has no end of its own. */
  readonly deadline: number | null
  /** Whether somebody can be asked. With `none` a question is a denial. */
  readonly route: "interactive" | "none"
  /** Aborted when somebody stops the turn: calls under way end as `cancelled` once their cleanup is confirmed. */
  readonly cancellation: AbortSignal
}
