/** The table of one turn. What it answers never changes, and only its own references and requests mean anything to it. */
import type { OpaqueAdapter } from "@gatehouse/core/EffectAdapter"
import type { EffectEntry, ToolDefinition } from "@gatehouse/core/EffectEntry"
import { BindingError } from "@gatehouse/core/EffectError"
import { EffectRequest } from "@gatehouse/core/EffectRequest"
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import type { CoreRevision } from "@gatehouse/core/Identifiers"
import { CatalogId } from "@gatehouse/core/Identifiers"
import { freezeJson } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import type { BoundEntry, Catalog, EffectRef } from "../Catalog.ts"

export interface CatalogContent {
  readonly coreRevision: CoreRevision
  /** Sorted by name, no name twice. */
  readonly bound: ReadonlyArray<BoundEntry>
  readonly diagnostics: ReadonlyArray<SourceDiagnostic>
}

/** The catalog of `content`; its id is a fingerprint of the revision and of every entry. */
export const makeCatalog = ({ bound, coreRevision, diagnostics }: CatalogContent): Catalog => {
  const entries = Object.freeze(bound.map(({ entry }) => entry))
  const byName = new Map(bound.map((one) => [one.entry.name, new Reference(one)]))
  const id = CatalogId(fingerprint([coreRevision, entries.map((entry) => entry.fingerprint).join(" ")]))
  let definitions: ReadonlyArray<ToolDefinition> | null = null

  // Requests are told apart by this object, not by the id: two equal catalogs of two turns do not share requests.
  const owner = Object.freeze({ id })
  const catalog: Catalog = {
    id,
    coreRevision,
    entries,
    diagnostics: Object.freeze([...diagnostics]),
    get definitions() {
      definitions ??= Object.freeze(entries.map(definitionOf))
      return definitions
    },
    resolve: (name) => byName.get(name)?.handle ?? null,
    request: (ref, args, callId) => {
      const one = Reference.of(ref)
      if (one === null || byName.get(one.entry.name)?.handle !== ref) return Either.left(foreign)
      return Either.mapBoth(freezeJson(args), {
        onLeft: ({ path, reason }) => refusedArguments(path, reason),
        onRight: (frozen) => EffectRequest.make(callId, one.entry.name, frozen, owner)
      })
    },
    bound: (request) => (EffectRequest.isOwnedBy(request, owner) ? (byName.get(request.name)?.bound ?? null) : null)
  }
  return Object.freeze(catalog)
}

const definitionOf = ({ description, inputSchema, name }: EffectEntry): ToolDefinition =>
  Object.freeze({ name, description, inputSchema })

/** Holds what a reference stands for where nobody can reach it, and recognises its own kind. */
class Reference {
  readonly #bound: BoundEntry

  constructor(bound: BoundEntry) {
    this.#bound = bound
  }

  static of(ref: unknown): BoundEntry | null {
    return typeof ref === "object" && ref !== null && #bound in ref ? ref.#bound : null
  }

  get bound(): BoundEntry {
    return this.#bound
  }

  // The one cast that makes a reference: its brand exists in the type system only.
  get handle(): EffectRef {
    return this as unknown as EffectRef
  }
}

const foreign = new BindingError({
  reason: "foreign",
  message: "The reference belongs to another turn's catalog, or to none",
  remedy: "resolve the name in this turn's catalog and ask with what it gives"
})

const refusedArguments = (path: string, reason: string): BindingError =>
  new BindingError({
    reason: "arguments",
    message: path === "" ? `The arguments: ${reason}` : `The argument \`${path}\` ${reason}`,
    remedy: "pass an object of plain JSON values"
  })

/** A frozen pair of an entry and its adapter. */
export const bind = (entry: EffectEntry, adapter: OpaqueAdapter): BoundEntry => Object.freeze({ entry, adapter })
