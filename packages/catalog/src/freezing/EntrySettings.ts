/** One entry under the settings of the core and of the host. Pure. */
import type { EffectEntry, SourceKind } from "@gatehouse/core/EffectEntry"
import type { SourceDiagnostic, SourceEntry } from "@gatehouse/core/EffectSource"
import { stricter } from "@gatehouse/core/Policy"
import type { ApprovalSettings, MetadataSettings, PolicyMerge, PolicyMergeInput } from "@gatehouse/core/PolicyMerge"
import { graver } from "@gatehouse/core/Risk"
import type { ToolSettings } from "../cores/AgentCore.ts"

/** The fields of an entry that settings decide. */
export type SettledFields = Pick<EffectEntry, "capability" | "risk" | "policy" | "displayPolicy" | "modelOutputPolicy">

/** The settings that all entries of a catalog share. */
export interface SharedSettings {
  readonly core: ApprovalSettings
  readonly global: ApprovalSettings
  readonly merge: PolicyMerge
}

/** What holds for one entry: risk and policy by the merge, the rest as metadata says where it may. */
export type Settle = (source: SourceKind, entry: SourceEntry, metadata: ToolSettings | undefined) => SettledFields

/**
 * Settles entries one by one. Most tools of a server differ by name only, and a name counts in a merge only where a
 * setting says it, so equal questions are asked once.
 */
export const settlingUnder = ({ core, global, merge }: SharedSettings): Settle => {
  const isNamed = (name: string): boolean =>
    [core, global].some(({ capabilities, tools }) => tools.has(name) || capabilities.has(`tool.call:${name}`))
  const ask: Settle = (source, entry, metadata) => {
    const input = mergeInput(source, entry, metadata, { core, global })
    const merged = merge(input)
    return {
      capability: input.capability,
      risk: merged.risk,
      policy: Object.freeze({ effective: merged.policy, decidedBy: merged.decidedBy }),
      displayPolicy: metadata?.displayPolicy?.value ?? entry.displayPolicy,
      modelOutputPolicy: metadata?.modelOutputPolicy?.value ?? entry.modelOutputPolicy
    }
  }
  let last: { readonly source: SourceKind; readonly entry: SourceEntry; readonly settled: SettledFields } | null = null
  return (source, entry, metadata) => {
    if (metadata !== undefined || isNamed(entry.name)) return ask(source, entry, metadata)
    if (last === null || last.source !== source || !asksTheSame(last.entry, entry)) {
      last = { source, entry, settled: ask(source, entry, metadata) }
    }
    return last.settled
  }
}

/** The question about one entry that a merge answers; exported for whoever explains an answer. */
export const mergeInput = (
  source: SourceKind,
  entry: SourceEntry,
  metadata: ToolSettings | undefined,
  { core, global }: Pick<SharedSettings, "core" | "global">
): PolicyMergeInput => ({
  source,
  tool: entry.name,
  capability: namesCapability(entry, metadata) ? (metadata?.capability?.value ?? null) : entry.capability,
  registryCapability: entry.capability,
  registryPolicy: entry.policy,
  registryRisk: entry.risk,
  registryOrigin: entry.policyOrigin,
  tightenOnly: entry.tightenOnly,
  metadata: metadata === undefined ? noMetadata : mergeable(metadata),
  core,
  global
})

/** Whether two entries differ in nothing that settling looks at, but for their names. */
const asksTheSame = (left: SourceEntry, right: SourceEntry): boolean =>
  left.capability === right.capability &&
  left.policy === right.policy &&
  left.policyOrigin === right.policyOrigin &&
  left.risk === right.risk &&
  left.tightenOnly === right.tightenOnly &&
  left.displayPolicy === right.displayPolicy &&
  left.modelOutputPolicy === right.modelOutputPolicy

const noMetadata: MetadataSettings = {}

const mergeable = ({ policy, risk }: ToolSettings): MetadataSettings => ({
  ...(policy === undefined ? {} : { policy }),
  ...(risk === undefined ? {} : { risk })
})

/** Another name is no loosening: whatever it is, the core has to grant it. Some entries keep theirs all the same. */
const namesCapability = (entry: SourceEntry, metadata: ToolSettings | undefined): boolean =>
  metadata?.capability !== undefined && entry.capabilityFixed !== true

/** Settings of `metadata` that have no effect on `entry`, so that nobody believes in them. */
export const ignoredSettings = (entry: SourceEntry, metadata: ToolSettings): ReadonlyArray<SourceDiagnostic> => {
  const { capability, policy, risk } = metadata
  const ignored: Array<SourceDiagnostic> = []
  if (entry.tightenOnly && risk !== undefined && graver(risk.risk, entry.risk) !== risk.risk) {
    ignored.push(told(risk.origin, `risk ${risk.risk} is below ${entry.risk}, which ${entry.provenance} has`))
  }
  if (entry.tightenOnly && policy !== undefined && stricter(policy.policy, entry.policy) !== policy.policy) {
    ignored.push(
      told(policy.origin, `policy ${policy.policy} is laxer than ${entry.policy}, which ${entry.provenance} has`)
    )
  }
  if (capability !== undefined && entry.capabilityFixed === true && capability.value !== entry.capability) {
    ignored.push(
      told(capability.origin, `${entry.provenance} keeps its own capability ${entry.capability ?? "(none)"}`)
    )
  }
  return ignored
}

const told = (subject: string, message: string): SourceDiagnostic => ({
  subject,
  severity: "warning",
  message: `has no effect: ${message}`,
  remedy: "remove the setting; a core only tightens what the host brings along"
})
