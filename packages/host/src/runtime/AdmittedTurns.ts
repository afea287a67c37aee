/** Which catalog belongs to which turn. A turn that is not here was not admitted by this host. */
import type { Catalog } from "@gatehouse/catalog/Catalog"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"

export class AdmittedTurns extends Context.Tag("@gatehouse/host/AdmittedTurns")<
  AdmittedTurns,
  {
    readonly admit: (turn: TurnContext, catalog: Catalog) => void
    /** By identity: a copy of a turn has no catalog. */
    readonly catalogOf: (turn: TurnContext) => Catalog | null
    /** After this, requests of the turn are foreign. */
    readonly dismiss: (turn: TurnContext) => void
  }
>() {
  static readonly layer: Layer.Layer<AdmittedTurns> = Layer.sync(AdmittedTurns, () => {
    const catalogs = new WeakMap<TurnContext, Catalog>()
    return {
      admit: (turn, catalog) => void catalogs.set(turn, catalog),
      catalogOf: (turn) => catalogs.get(turn) ?? null,
      dismiss: (turn) => void catalogs.delete(turn)
    }
  })
}
