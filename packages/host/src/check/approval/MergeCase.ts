/** The policy of one catalog entry, and that of opening a server. */
import type { Json } from "@gatehouse/core/Json"
import { mergePolicy } from "@gatehouse/policy/approvals/PolicyMerge"
import * as Schema from "effect/Schema"
import { MetadataCase, PolicyWord, placedMetadata, placedSettings, RiskWord, settingsFields } from "./SettingsCase.ts"

const promptByDefault = Schema.optionalWith(PolicyWord, { default: () => "prompt" as const })
const mediumByDefault = Schema.optionalWith(RiskWord, { default: () => "medium" as const })

export const MergeCase = Schema.Struct({
  case: Schema.Literal("merge"),
  source: Schema.Literal("builtin", "authored", "mcp", "connect"),
  tool: Schema.String,
  registry: Schema.Struct({
    approval_policy: promptByDefault,
    risk: mediumByDefault,
    capability: Schema.optionalWith(Schema.NullOr(Schema.String), { default: () => null })
  }),
  metadata: Schema.optionalWith(MetadataCase, { default: () => ({}) }),
  ...settingsFields
})

export const decideMerge = (question: typeof MergeCase.Type): Json => {
  const { metadata, registry, source, tool } = question
  const merged = mergePolicy({
    source,
    tool,
    capability: metadata.capability === undefined ? registry.capability : metadata.capability,
    registryCapability: registry.capability,
    registryPolicy: registry.approval_policy,
    registryRisk: registry.risk,
    registryOrigin: "registry",
    tightenOnly: source === "builtin" || source === "connect",
    metadata: placedMetadata(metadata),
    ...placedSettings(question)
  })
  return { policy: merged.policy, risk: merged.risk, decided_by: merged.decidedBy }
}

export const ConnectCase = Schema.Struct({
  case: Schema.Literal("connect"),
  server: Schema.String,
  manifest: Schema.optionalWith(Schema.Struct({ approval_policy: promptByDefault, risk: mediumByDefault }), {
    default: () => ({ approval_policy: "prompt" as const, risk: "medium" as const })
  }),
  ...settingsFields
})

export const decideConnect = (question: typeof ConnectCase.Type): Json => {
  const merged = mergePolicy({
    source: "connect",
    tool: question.server,
    capability: `mcp.connect:${question.server}`,
    registryPolicy: question.manifest.approval_policy,
    registryRisk: question.manifest.risk,
    registryOrigin: "manifest",
    tightenOnly: true,
    metadata: {},
    ...placedSettings(question)
  })
  return { policy: merged.policy, risk: merged.risk, decided_by: merged.decidedBy }
}
