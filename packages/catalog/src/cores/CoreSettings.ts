/** The settings of `agent.yaml`, each with the place that said it. */

import type { Policy } from "@gatehouse/core/Policy"
import type { ApprovalSettings, PlacedPolicy } from "@gatehouse/core/PolicyMerge"
import { risks } from "@gatehouse/core/Risk"
import type { AgentManifest } from "../manifests/AgentManifest.ts"
import type { Origin, ToolSettings } from "./AgentCore.ts"

/** `approval`, as policy merges it. */
export const approvalSettings = (manifest: AgentManifest, origin: Origin): ApprovalSettings => {
  const { approval } = manifest
  const placed = (policy: Policy, ...path: ReadonlyArray<string>): PlacedPolicy => ({
    policy,
    origin: origin(["approval", ...path])
  })
  const block = (name: "tools" | "capabilities"): ApprovalSettings["tools"] =>
    new Map(Object.entries(approval[name]).map(([key, policy]) => [key, placed(policy, name, key)]))
  return {
    ...(approval.default === undefined ? {} : { default: placed(approval.default, "default") }),
    tools: block("tools"),
    capabilities: block("capabilities"),
    risks: new Map(
      risks.flatMap((risk) => {
        const policy = approval.risks[risk]
        return policy === undefined ? [] : [[risk, placed(policy, "risks", risk)] as const]
      })
    )
  }
}

/** `tools.metadata`, by tool. */
export const toolSettings = (manifest: AgentManifest, origin: Origin): ReadonlyMap<string, ToolSettings> =>
  new Map(
    Object.entries(manifest.tools.metadata).map(([tool, said]) => {
      const at = (field: string): string => origin(["tools", "metadata", tool, field])
      const settings: ToolSettings = {
        origin: origin(["tools", "metadata", tool]),
        ...(said.enabled === undefined ? {} : { enabled: { value: said.enabled, origin: at("enabled") } }),
        ...(said.risk === undefined ? {} : { risk: { risk: said.risk, origin: at("risk") } }),
        ...(said.approval_policy === undefined
          ? {}
          : { policy: { policy: said.approval_policy, origin: at("approval_policy") } }),
        ...(said.capability === undefined ? {} : { capability: { value: said.capability, origin: at("capability") } }),
        ...(said.display_policy === undefined
          ? {}
          : { displayPolicy: { value: said.display_policy, origin: at("display_policy") } }),
        ...(said.model_output_policy === undefined
          ? {}
          : { modelOutputPolicy: { value: said.model_output_policy, origin: at("model_output_policy") } })
      }
      return [tool, settings]
    })
  )
