/** The approval settings as they are written, in the host's own settings (and in the same form under `agent.yaml`). */
import { policies } from "@gatehouse/core/Policy"
import type { ApprovalSettings, PlacedPolicy } from "@gatehouse/core/PolicyMerge"
import { risks } from "@gatehouse/core/Risk"
import * as Schema from "effect/Schema"

const PolicyWord = Schema.Literal(...policies)
const PolicyByName = Schema.Record({ key: Schema.String, value: PolicyWord })
const risk = Schema.optional(PolicyWord)

/**
 * `default`, `tools.<name>`, `capabilities.<name>` and `risks.<low|medium|high|critical>`, each `auto`, `prompt` or
 * `deny`. To be decoded with `onExcessProperty: "error"`, so that a misspelt risk is not taken for silence.
 *
 * @example
 * // approval:
 * //   default: auto
 * //   risks: { high: prompt, critical: deny }
 * //   capabilities: { "network.fetch": prompt }
 */
export const ApprovalSettingsBlock = Schema.Struct({
  default: Schema.optional(PolicyWord),
  tools: Schema.optional(PolicyByName),
  capabilities: Schema.optional(PolicyByName),
  risks: Schema.optional(Schema.Struct({ low: risk, medium: risk, high: risk, critical: risk }))
})
export type ApprovalSettingsBlock = typeof ApprovalSettingsBlock.Type

/**
 * The block with the place of each setting. `originOf` gets the path within the block (`["tools", "write_file"]`) and
 * answers with file, line and setting (`settings.yaml:7 approval.tools.write_file`).
 */
export const placeApprovalSettings = (
  block: ApprovalSettingsBlock,
  originOf: (path: ReadonlyArray<string>) => string
): ApprovalSettings => {
  const place = (policy: PlacedPolicy["policy"], ...path: ReadonlyArray<string>): PlacedPolicy => ({
    policy,
    origin: originOf(path)
  })
  const placeAll = (field: "tools" | "capabilities"): ReadonlyMap<string, PlacedPolicy> =>
    new Map(Object.entries(block[field] ?? {}).map(([name, policy]) => [name, place(policy, field, name)]))
  const byRisk = risks.flatMap((word) => {
    const policy = block.risks?.[word]
    return policy === undefined ? [] : [[word, place(policy, "risks", word)] as const]
  })
  return {
    ...(block.default === undefined ? {} : { default: place(block.default, "default") }),
    tools: placeAll("tools"),
    capabilities: placeAll("capabilities"),
    risks: new Map(byRisk)
  }
}
