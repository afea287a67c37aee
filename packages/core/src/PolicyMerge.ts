/**
 * How the settings of a core and of the host are merged into one entry's policy, as a port: the catalog asks while it
 * freezes, the policy package answers (`policy/src/approvals/PolicyMerge.ts`). Cases `merge` and `connect` of
 * `test/vectors/approval-merge.json`.
 */
import type { SourceKind } from "./EffectEntry.ts"
import type { Policy } from "./Policy.ts"
import type { Risk } from "./Risk.ts"

/** A policy that a setting asks for, and the place of the setting: `agent.yaml:12 approval.tools.write_file`. */
export interface PlacedPolicy {
  readonly policy: Policy
  readonly origin: string
}

/** A risk that a setting asks for, and its place. */
export interface PlacedRisk {
  readonly risk: Risk
  readonly origin: string
}

/**
 * One block of approval settings, a core's (`approval` of `agent.yaml`) or the host's. Maps, so that a tool named
 * `constructor` is a name like any other. Names are compared whole, byte for byte.
 */
export interface ApprovalSettings {
  readonly default?: PlacedPolicy
  readonly tools: ReadonlyMap<string, PlacedPolicy>
  readonly capabilities: ReadonlyMap<string, PlacedPolicy>
  readonly risks: ReadonlyMap<Risk, PlacedPolicy>
}

/** A block that says nothing. */
export const noApprovalSettings: ApprovalSettings = { tools: new Map(), capabilities: new Map(), risks: new Map() }

/** What `tools.metadata.<tool>` of a core says about one entry, as far as a merge looks at it. */
export interface MetadataSettings {
  readonly policy?: PlacedPolicy
  readonly risk?: PlacedRisk
}

export interface PolicyMergeInput {
  readonly source: SourceKind
  /** The name that settings use for the entry: the exposed one, and for a connect the server's. */
  readonly tool: string
  /** The capability in force, after metadata. */
  readonly capability: string | null
  /**
   * The capability before metadata, where metadata named another: settings about it still hold, so that a core cannot
   * rename its way past the host's owner.
   */
  readonly registryCapability?: string | null
  /** What the entry brings along, and where it says so. */
  readonly registryPolicy: Policy
  readonly registryRisk: Risk
  readonly registryOrigin: string
  /** True where metadata may tighten only; false where the core itself declared the entry. */
  readonly tightenOnly: boolean
  readonly metadata: MetadataSettings
  readonly core: ApprovalSettings
  readonly global: ApprovalSettings
}

export interface PolicyMergeResult {
  readonly policy: Policy
  readonly risk: Risk
  /** The origin of the setting whose policy holds. */
  readonly decidedBy: string
}

/** Pure: one input, one answer. Between registry (with metadata), core and global the strictest holds. */
export type PolicyMerge = (input: PolicyMergeInput) => PolicyMergeResult
