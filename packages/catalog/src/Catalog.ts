/** The frozen table of one turn: what the model saw is what runs. */
import type { OpaqueAdapter } from "@gatehouse/core/EffectAdapter"
import type { EffectEntry, ToolDefinition } from "@gatehouse/core/EffectEntry"
import type { BindingError } from "@gatehouse/core/EffectError"
import type { EffectRequest } from "@gatehouse/core/EffectRequest"
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import type { CallId, CatalogId, CoreRevision } from "@gatehouse/core/Identifiers"
import type * as Either from "effect/Either"

declare const refOf: unique symbol

/** An opaque handle to one entry of one catalog, compared by identity; the only thing that requests are made from. */
export interface EffectRef {
  readonly [refOf]: true
}

/** An entry with the adapter it is bound to. */
export interface BoundEntry {
  readonly entry: EffectEntry
  readonly adapter: OpaqueAdapter
}

export interface Catalog {
  readonly id: CatalogId
  readonly coreRevision: CoreRevision
  /** In the order of their names. */
  readonly entries: ReadonlyArray<EffectEntry>
  readonly diagnostics: ReadonlyArray<SourceDiagnostic>
  readonly definitions: ReadonlyArray<ToolDefinition>
  readonly resolve: (name: string) => EffectRef | null
  /** A request for `ref` with a frozen copy of `args`; refused where they are no JSON within bounds. */
  readonly request: (ref: EffectRef, args: unknown, callId: CallId) => Either.Either<EffectRequest, BindingError>
  /** The entry that a genuine request of this catalog is bound to; null for a foreign or made-up one. */
  readonly bound: (request: unknown) => BoundEntry | null
}
