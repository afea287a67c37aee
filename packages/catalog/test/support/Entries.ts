/** Entries, cores and a merge for tests of the catalog alone. */
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import { buildCore } from "@gatehouse/catalog/cores/BuildCore"
import type { CatalogSource, FreezeSettings } from "@gatehouse/catalog/freezing/FreezeCatalog"
import { opaque } from "@gatehouse/core/EffectAdapter"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { Fingerprint } from "@gatehouse/core/Fingerprint"
import { CoreRevision } from "@gatehouse/core/Identifiers"
import { stricter } from "@gatehouse/core/Policy"
import type { PolicyMerge } from "@gatehouse/core/PolicyMerge"
import { noApprovalSettings } from "@gatehouse/core/PolicyMerge"
import { graver } from "@gatehouse/core/Risk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"

export const adapter = opaque({
  plan: () => new PlanRefused("denied", "test", "never called"),
  run: () => Effect.die("never called")
})

export const entry = (name: string, changes: Partial<SourceEntry> = {}): SourceEntry => ({
  name,
  description: `Does ${name}`,
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  capability: "fs.read",
  risk: "medium",
  policy: "prompt",
  policyOrigin: "builtin",
  tightenOnly: true,
  readOnly: false,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  toolset: null,
  provenance: `builtin ${name}`,
  component: null,
  metadata: null,
  adapter,
  ...changes
})

export const builtins = (...entries: ReadonlyArray<SourceEntry>): CatalogSource => ({
  kind: "builtin",
  entries,
  diagnostics: []
})

/** A core of one file. */
export const coreOf = (yaml: string, revision = "tree:test"): AgentCore =>
  Either.getOrThrow(
    buildCore({
      root: "/core",
      revision: CoreRevision(revision),
      paths: new Set(["agent.yaml"]),
      texts: new Map([["agent.yaml", yaml]]),
      digestOf: () => Fingerprint("")
    })
  )

export const plainCore = coreOf("agent:\n  id: test\n")

/** Looks at metadata and at settings by tool; the whole merge is policy's, and tested there. */
export const simpleMerge: PolicyMerge = ({
  core,
  global,
  metadata,
  registryOrigin,
  registryPolicy,
  registryRisk,
  ...input
}) => {
  const risk = metadata.risk?.risk ?? registryRisk
  const own = metadata.policy ?? { policy: registryPolicy, origin: registryOrigin }
  const first =
    input.tightenOnly && stricter(own.policy, registryPolicy) !== own.policy
      ? { policy: registryPolicy, origin: registryOrigin }
      : own
  const decided = [core.tools.get(input.tool), global.tools.get(input.tool)]
    .filter((said) => said !== undefined)
    .reduce((strict, next) => (stricter(next.policy, strict.policy) === strict.policy ? strict : next), first)
  return {
    policy: decided.policy,
    risk: input.tightenOnly ? graver(risk, registryRisk) : risk,
    decidedBy: decided.origin
  }
}

export const settings: FreezeSettings = { merge: simpleMerge, global: noApprovalSettings }
