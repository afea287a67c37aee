/** What the tools over the control plane share: their plans and what they say where the store cannot answer. */
import { AdapterError } from "@gatehouse/core/EffectError"
import type { EffectPlan } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"

export interface ControlPlan<Prepared> {
  readonly action: string
  readonly target: string
  readonly readOnly: boolean
  readonly preview: Json
  readonly timeoutMillis: number | null
  readonly prepared: Prepared
}

/** A plan of low risk that asks nobody by itself. */
export const controlPlan = <Prepared>(plan: ControlPlan<Prepared>): EffectPlan<Prepared> => ({
  ...plan,
  risk: "low",
  policy: "auto",
  because: [],
  subject: { kind: "other" },
  approvalShape: {},
  sessionCacheable: true,
  secrets: [],
  writeScope: null
})

/** The store, or the scope's issuer, says no. */
export const storeRefusal = ({
  message,
  remedy
}: {
  readonly message: string
  readonly remedy: string
}): AdapterError => new AdapterError({ reason: "store", message, remedy, mayHaveHappened: false })
