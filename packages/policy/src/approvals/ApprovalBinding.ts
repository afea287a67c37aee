/** What an answer belongs to. An answer given for one binding says nothing about any other. */
import { canonicalJson, keyedFingerprint } from "@gatehouse/core/Fingerprint"
import type { Json } from "@gatehouse/core/Json"
import type { Policy } from "@gatehouse/core/Policy"
import type { Risk } from "@gatehouse/core/Risk"
import * as Brand from "effect/Brand"
import type { ApprovalQuestion } from "./Approvals.ts"

export interface ApprovalBinding {
  readonly principal: string
  readonly session: string
  /** The core, by its folder, and its revision. */
  readonly core: string
  readonly coreRevision: string
  readonly workspace: string
  /** Fingerprint of the capability snapshot. */
  readonly capabilities: string
  readonly policy: Policy
  readonly risk: Risk
  /** Fingerprint of the catalog's entry: definition, source and settings. */
  readonly entry: string
  readonly action: string
  readonly target: string
  /** What else the answer covers: a command with its directory, overlay and options. */
  readonly shape: Json
}

/** One text for each binding, and one binding for each text: the parts are kept apart by their JSON form. */
export type BindingKey = string & Brand.Brand<"BindingKey">
const BindingKey = Brand.nominal<BindingKey>()

export const bindingOf = ({ entry, plan, policy, turn }: ApprovalQuestion): ApprovalBinding => ({
  principal: turn.principal.id,
  session: turn.session,
  core: turn.coreRoot,
  coreRevision: turn.coreRevision,
  workspace: turn.workspace,
  capabilities: turn.capabilities.fingerprint,
  policy,
  risk: plan.risk,
  entry: entry.fingerprint,
  action: plan.action,
  target: plan.target,
  shape: plan.approvalShape
})

export const bindingKey = (binding: ApprovalBinding): BindingKey =>
  BindingKey(
    JSON.stringify([
      binding.principal,
      binding.session,
      binding.core,
      binding.coreRevision,
      binding.workspace,
      binding.capabilities,
      binding.policy,
      binding.risk,
      binding.entry,
      binding.action,
      binding.target,
      canonicalJson(binding.shape)
    ])
  )

/** How events and people name a binding: 16 hexadecimal digits that only this home can make, and nothing of its parts. */
export const ruleFingerprint = (key: Uint8Array, binding: BindingKey): string =>
  keyedFingerprint(key, binding).slice(0, 16)
