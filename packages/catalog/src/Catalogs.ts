/** Freezes the catalog of a turn. Unchanged inputs give the same frozen object. */
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Catalog } from "./Catalog.ts"
import type { AgentCore } from "./cores/AgentCore.ts"
import type { CatalogError } from "./freezing/CatalogError.ts"
import type { CatalogInput, CatalogSource, FreezeSettings, FrozenBefore } from "./freezing/FreezeCatalog.ts"
import { freezeCatalog } from "./freezing/FreezeCatalog.ts"

export class Catalogs extends Context.Tag("@gatehouse/catalog/Catalogs")<
  Catalogs,
  {
    /**
     * The catalog of `input`. The same core and the same entries (by identity) give the same object; where some
     * entries are new, the others are not frozen again. So a source gives the same objects while nothing changes, and
     * new lists, never changed ones, when something does.
     */
    readonly freeze: (input: CatalogInput) => Effect.Effect<Catalog, CatalogError>
  }
>() {
  /** `merge` is `mergePolicy` of the policy package, `global` the approval settings of the host's owner. */
  static readonly layer = (settings: FreezeSettings): Layer.Layer<Catalogs> =>
    Layer.sync(Catalogs, () => {
      const frozenUnder = new WeakMap<AgentCore, FrozenBefore>()
      let kept: ReadonlyArray<KeptCatalog> = []
      const freeze = (input: CatalogInput): Either.Either<Catalog, CatalogError> => {
        const same = kept.find((one) => isSame(one.input, input))
        if (same !== undefined) return Either.right(same.catalog)
        const before = frozenUnder.get(input.core) ?? new WeakMap<SourceEntry, never>()
        frozenUnder.set(input.core, before)
        return Either.map(freezeCatalog(input, settings, before), (catalog) => {
          kept = [{ input, catalog }, ...kept].slice(0, keptLimit)
          return catalog
        })
      }
      return { freeze: (input) => Effect.suspend(() => freeze(input)) }
    })
}

interface KeptCatalog {
  readonly input: CatalogInput
  readonly catalog: Catalog
}

/** Catalogs that are kept at once: about one for each session under way. */
const keptLimit = 32

const isSame = (left: CatalogInput, right: CatalogInput): boolean =>
  left.core === right.core &&
  left.sources.length === right.sources.length &&
  left.sources.every((source, index) => isSameSource(source, right.sources[index]))

const isSameSource = (left: CatalogSource, right: CatalogSource | undefined): boolean =>
  left === right ||
  (right !== undefined &&
    left.kind === right.kind &&
    isSameList(left.entries, right.entries) &&
    isSameList(left.diagnostics, right.diagnostics))

const isSameList = (left: ReadonlyArray<unknown>, right: ReadonlyArray<unknown>): boolean =>
  left === right || (left.length === right.length && left.every((value, index) => value === right[index]))
