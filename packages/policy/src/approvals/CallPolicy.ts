/**
 * Which policy holds for one call: that of its entry, what the call's own checks ask for, and what the settings say
 * about the risk that these checks found. It is never softer than the entry's.
 */
import type { DecidedPolicy } from "@gatehouse/core/EffectEntry"
import type { PlanReason } from "@gatehouse/core/EffectPlan"
import { type Policy, stricter } from "@gatehouse/core/Policy"
import type { ApprovalSettings, PlacedPolicy } from "@gatehouse/core/PolicyMerge"
import { graver, type Risk } from "@gatehouse/core/Risk"
import { blockPolicy, capabilityNames } from "./PolicyMerge.ts"

export interface CallPolicyInput {
  readonly entry: {
    readonly name: string
    readonly capability: string | null
    readonly risk: Risk
    readonly policy: DecidedPolicy
  }
  readonly plan: { readonly policy: Policy; readonly risk: Risk; readonly because: ReadonlyArray<PlanReason> }
  readonly core: ApprovalSettings
  readonly global: ApprovalSettings
}

export interface CallPolicy {
  readonly policy: Policy
  readonly risk: Risk
  readonly decidedBy: string
}

/**
 * @example
 * // A command that the review calls high, in a host whose settings deny what is high:
 * callPolicy({ entry, plan: { policy: "prompt", risk: "high", because: [] }, core, global })
 * // { policy: "deny", risk: "high", decidedBy: "settings.yaml:4 approval.risks.high" }
 */
export const callPolicy = ({ core, entry, global, plan }: CallPolicyInput): CallPolicy => {
  const risk = graver(entry.risk, plan.risk)
  const own: CallPolicy = { policy: entry.policy.effective, risk, decidedBy: entry.policy.decidedBy }
  const checked = tighten(own, checksVoice(plan))
  // At the entry's own risk the settings have spoken already, when the catalog froze.
  if (risk === entry.risk) return checked
  const names = { tool: entry.name, capabilities: capabilityNames(entry.name, entry.capability) }
  return tighten(tighten(checked, blockPolicy(core, names, risk)), blockPolicy(global, names, risk))
}

/** What was heard about one call beside its entry, for "why?". */
export interface CallVoice extends PlacedPolicy {
  readonly by: "call" | "core" | "global"
}

/** The voices of {@link callPolicy}, in the order in which they are asked: the first of the strictest decided. */
export const callVoices = ({ core, entry, global, plan }: CallPolicyInput): ReadonlyArray<CallVoice> => {
  const checks: CallVoice = { by: "call", ...checksVoice(plan) }
  const risk = graver(entry.risk, plan.risk)
  if (risk === entry.risk) return [checks]
  const names = { tool: entry.name, capabilities: capabilityNames(entry.name, entry.capability) }
  const settings = [
    ["core", blockPolicy(core, names, risk)],
    ["global", blockPolicy(global, names, risk)]
  ] as const
  return [checks, ...settings.flatMap(([by, said]) => (said === null ? [] : [{ by, ...said }]))]
}

const checksVoice = ({ because, policy }: CallPolicyInput["plan"]): PlacedPolicy => ({
  policy,
  origin: because[0]?.rule ?? "the call's own checks"
})

const tighten = (held: CallPolicy, voice: PlacedPolicy | null): CallPolicy =>
  voice === null || stricter(held.policy, voice.policy) === held.policy
    ? held
    : { policy: voice.policy, risk: held.risk, decidedBy: voice.origin }
