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
    /** Before its catalog is known: sources already ask under the core's settings. */
    readonly prepare: (turn: TurnContext, core: AgentCore) => void
    /** Null for a turn that is not of this host. */
    readonly coreOf: (turn: TurnContext) => AgentCore | null
    readonly admit: (turn: TurnContext, admission: Admission) => void
    /** By identity: a copy of a turn was not admitted. */
    readonly admissionOf: (turn: TurnContext) => Admission | null
    /** After this, requests of the turn are foreign. */
    readonly dismiss: (turn: TurnContext) => void
  }
>() {
  static readonly layer: Layer.Layer<AdmittedTurns> = Layer.sync(AdmittedTurns, () => {
    const cores = new WeakMap<TurnContext, AgentCore>()
    const admissions = new WeakMap<TurnContext, Admission>()
    return {
      prepare: (turn, core) => void cores.set(turn, core),
      coreOf: (turn) => admissions.get(turn)?.core ?? cores.get(turn) ?? null,
      admit: (turn, admission) => void admissions.set(turn, admission),
      admissionOf: (turn) => admissions.get(turn) ?? null,
      dismiss: (turn) => void admissions.delete(turn)
    }
  })
}
