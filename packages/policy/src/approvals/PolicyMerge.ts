/**
 * Which policy holds for an entry: what it brings along, what the core's metadata says about it, and the approval
 * settings of core and host. Settings only tighten. Cases `merge` and `connect` of `test/vectors/approval-merge.json`.
 */
import { type Policy, stricter } from "@gatehouse/core/Policy"
import type {
  ApprovalSettings,
  PlacedPolicy,
  PolicyMerge,
  PolicyMergeInput,
  PolicyMergeResult
} from "@gatehouse/core/PolicyMerge"
import { graver, type Risk } from "@gatehouse/core/Risk"

/** One voice in a merge, for "why?": who spoke, where it stands, and what it asks for. */
export interface PolicyVoice extends PlacedPolicy {
  readonly by: "registry" | "metadata" | "connect" | "core" | "global"
}

export interface ExplainedMerge extends PolicyMergeResult {
  /** Everybody who spoke, in the order in which they are asked. The first of the strictest decided. */
  readonly voices: ReadonlyArray<PolicyVoice>
}

/**
 * The policy and the risk of one entry, and the setting that decided.
 *
 * @example
 * mergePolicy({ tool: "write_file", registryPolicy: "prompt", core: settings, ... })
 * // { policy: "deny", risk: "medium", decidedBy: "agent.yaml:12 approval.tools.write_file" }
 */
export const mergePolicy: PolicyMerge = (input) => {
  const { decidedBy, policy, risk } = explainMerge(input)
  return { policy, risk, decidedBy }
}

/** As {@link mergePolicy}, with every voice that was heard. */
export const explainMerge = (input: PolicyMergeInput): ExplainedMerge => {
  const risk = mergedRisk(input)
  const voices = [...ownVoices(input), ...settingsVoices(input, risksToLookUp(input, risk))]
  return { ...strictest(voices, input), risk, voices }
}

/** How settings name an entry. A null tool is known by its capabilities only. */
export interface EntryNames {
  readonly tool: string | null
  readonly capabilities: ReadonlyArray<string>
}

/** What one settings block says about an entry at one risk: tool, then capability, then risk, then default. */
export const blockPolicy = (block: ApprovalSettings, names: EntryNames, risk: Risk): PlacedPolicy | null =>
  (names.tool === null ? undefined : block.tools.get(names.tool)) ??
  capabilityPolicy(block, names) ??
  block.risks.get(risk) ??
  block.default ??
  null

/** The names under which settings know an entry's capability: its own, and `tool.call:<tool>`. */
export const capabilityNames = (
  tool: string,
  ...own: ReadonlyArray<string | null | undefined>
): ReadonlyArray<string> => [...own.filter((name): name is string => typeof name === "string"), `tool.call:${tool}`]

const capabilityPolicy = (block: ApprovalSettings, { capabilities }: EntryNames): PlacedPolicy | null => {
  const found = capabilities.map((name) => block.capabilities.get(name)).filter((policy) => policy !== undefined)
  return found.reduce<PlacedPolicy | null>(
    (strict, next) => (strict === null || isStricter(next.policy, strict.policy) ? next : strict),
    null
  )
}

/** Metadata may raise the risk of what the host brings along, and set that of what the core itself declared. */
const mergedRisk = ({ metadata, registryRisk, tightenOnly }: PolicyMergeInput): Risk => {
  if (metadata.risk === undefined) return registryRisk
  return tightenOnly ? graver(registryRisk, metadata.risk.risk) : metadata.risk.risk
}

/**
 * Where metadata may tighten only, the entry's own risk is looked up too: otherwise a core could raise a risk to slip
 * away from what the host's owner said about the lower one.
 */
const risksToLookUp = ({ registryRisk, tightenOnly }: PolicyMergeInput, risk: Risk): ReadonlyArray<Risk> =>
  tightenOnly && risk !== registryRisk ? [registryRisk, risk] : [risk]

const ownVoices = (input: PolicyMergeInput): ReadonlyArray<PolicyVoice> => {
  const registry: PolicyVoice = { by: "registry", policy: input.registryPolicy, origin: input.registryOrigin }
  const metadata = input.metadata.policy
  const own: ReadonlyArray<PolicyVoice> =
    metadata === undefined
      ? [registry]
      : input.tightenOnly
        ? [registry, { by: "metadata", ...metadata }]
        : [{ by: "metadata", ...metadata }]
  // Opening a server starts a program or a connection of somebody else's choice: never unasked.
  return input.source === "connect"
    ? [...own, { by: "connect", policy: "prompt", origin: "opening a server asks" }]
    : own
}

/**
 * Opening a server is known by the server's name, which a tool may have as well: what settings say about that tool must
 * not speak before what they say about the connection, so both are heard.
 */
const namesOf = ({ capability, registryCapability, source, tool }: PolicyMergeInput): ReadonlyArray<EntryNames> => {
  const names = { tool, capabilities: capabilityNames(tool, capability, registryCapability) }
  return source === "connect" && capability !== null ? [names, { tool: null, capabilities: [capability] }] : [names]
}

const settingsVoices = (input: PolicyMergeInput, risks: ReadonlyArray<Risk>): ReadonlyArray<PolicyVoice> => {
  const names = namesOf(input)
  const blocks = [
    ["core", input.core],
    ["global", input.global]
  ] as const
  return blocks.flatMap(([by, block]) =>
    names.flatMap((known) =>
      risks.flatMap((risk) => {
        const said = blockPolicy(block, known, risk)
        return said === null ? [] : [{ by, ...said }]
      })
    )
  )
}

const strictest = (
  voices: ReadonlyArray<PolicyVoice>,
  { registryOrigin, registryPolicy }: PolicyMergeInput
): Pick<PolicyMergeResult, "policy" | "decidedBy"> => {
  const [first = { policy: registryPolicy, origin: registryOrigin }, ...others] = voices
  const decided = others.reduce<PlacedPolicy>(
    (strict, next) => (isStricter(next.policy, strict.policy) ? next : strict),
    first
  )
  return { policy: decided.policy, decidedBy: decided.origin }
}

const isStricter = (left: Policy, right: Policy): boolean => left !== right && stricter(left, right) === left
