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

/** One text for each binding, and one binding for each text: each part says where it ends. */
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
    part(binding.principal) +
      part(binding.session) +
      part(binding.core) +
      part(binding.coreRevision) +
      part(binding.workspace) +
      part(binding.capabilities) +
      part(binding.policy) +
      part(binding.risk) +
      part(binding.entry) +
      part(binding.action) +
      part(binding.target) +
      part(canonicalJson(binding.shape))
  )

/** A text that says how long it is: no other row of parts reads the same. Five times as quick as their JSON form. */
const part = (text: string): string => `${text.length}:${text}`

/** How events and people name a binding: 16 hexadecimal digits that only this home can make, and nothing of its parts. */
export const ruleFingerprint = (key: Uint8Array, binding: BindingKey): string =>
  keyedFingerprint(key, binding).slice(0, 16)
