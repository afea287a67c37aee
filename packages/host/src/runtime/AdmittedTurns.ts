/** What belongs to which turn. A turn that is not here was not admitted by this host. */
import type { Catalog } from "@gatehouse/catalog/Catalog"
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

export interface Admission {
  readonly catalog: Catalog
  /** The core as it was at admission. */
  readonly core: AgentCore
}

export class AdmittedTurns extends Context.Tag("@gatehouse/host/AdmittedTurns")<
  AdmittedTurns,
  {
    readonly admit: (turn: TurnContext, admission: Admission) => void
    /** By identity: a copy of a turn was not admitted. */
    readonly admissionOf: (turn: TurnContext) => Admission | null
    /** After this, requests of the turn are foreign. */
    readonly dismiss: (turn: TurnContext) => void
  }
>() {
  static readonly layer: Layer.Layer<AdmittedTurns> = Layer.sync(AdmittedTurns, () => {
    const admissions = new WeakMap<TurnContext, Admission>()
    return {
      admit: (turn, admission) => void admissions.set(turn, admission),
      admissionOf: (turn) => admissions.get(turn) ?? null,
      dismiss: (turn) => void admissions.delete(turn)
    }
  })
}
