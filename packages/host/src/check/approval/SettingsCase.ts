/** The parts of a question that are settings, read as the manifests read them. */
import { policies } from "@gatehouse/core/Policy"
import type { ApprovalSettings, MetadataSettings } from "@gatehouse/core/PolicyMerge"
import { risks } from "@gatehouse/core/Risk"
import { ApprovalSettingsBlock, placeApprovalSettings } from "@gatehouse/policy/approvals/ApprovalSettingsBlock"
import * as Schema from "effect/Schema"

export const PolicyWord = Schema.Literal(...policies)
export const RiskWord = Schema.Literal(...risks)

/** What core and host say; absent blocks say nothing. */
export const settingsFields = {
  core: Schema.optionalWith(ApprovalSettingsBlock, { default: () => ({}) }),
  global: Schema.optionalWith(ApprovalSettingsBlock, { default: () => ({}) })
}

/** `tools.metadata.<tool>` of a core; only policy, risk and capability have a say in a merge. */
export const MetadataCase = Schema.Struct({
  approval_policy: Schema.optional(PolicyWord),
  risk: Schema.optional(RiskWord),
  capability: Schema.optional(Schema.NullOr(Schema.String)),
  enabled: Schema.optional(Schema.Boolean),
  display_policy: Schema.optional(Schema.String),
  model_output_policy: Schema.optional(Schema.String)
})

export const placedSettings = (question: {
  readonly core: ApprovalSettingsBlock
  readonly global: ApprovalSettingsBlock
}): { readonly core: ApprovalSettings; readonly global: ApprovalSettings } => ({
  core: placeApprovalSettings(question.core, (path) => ["core", ...path].join(".")),
  global: placeApprovalSettings(question.global, (path) => ["global", ...path].join("."))
})

export const placedMetadata = (metadata: typeof MetadataCase.Type): MetadataSettings => ({
  ...(metadata.approval_policy === undefined
    ? {}
    : { policy: { policy: metadata.approval_policy, origin: "metadata.approval_policy" } }),
  ...(metadata.risk === undefined ? {} : { risk: { risk: metadata.risk, origin: "metadata.risk" } })
})
