/** What changed between two turns. */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import { canonicalJson } from "@gatehouse/core/Fingerprint"
import type { Json } from "@gatehouse/core/Json"
import type { Catalog } from "./Catalog.ts"

/** One field of an entry before and after. */
export interface FieldChange {
  readonly field: string
  readonly before: Json
  readonly after: Json
}

export interface EntryChange {
  readonly name: string
  readonly changes: ReadonlyArray<FieldChange>
}

/** Each list is in the order of names. */
export interface CatalogDiff {
  readonly added: ReadonlyArray<EffectEntry>
  readonly removed: ReadonlyArray<EffectEntry>
  readonly changed: ReadonlyArray<EntryChange>
}

/**
 * What `after` has that `before` has not, and the other way round. A new core revision alone is no change of an entry:
 * it changes every entry's fingerprint, and nothing that anybody sees.
 */
export const diffCatalogs = (before: Pick<Catalog, "entries">, after: Pick<Catalog, "entries">): CatalogDiff => {
  const old = byName(before.entries)
  const current = byName(after.entries)
  return {
    added: after.entries.filter(({ name }) => !old.has(name)),
    removed: before.entries.filter(({ name }) => !current.has(name)),
    changed: after.entries.flatMap((entry) => {
      const earlier = old.get(entry.name)
      if (earlier === undefined || earlier.fingerprint === entry.fingerprint) return []
      const changes = fieldChanges(earlier, entry)
      return changes.length === 0 ? [] : [{ name: entry.name, changes }]
    })
  }
}

const byName = (entries: ReadonlyArray<EffectEntry>): ReadonlyMap<string, EffectEntry> =>
  new Map(entries.map((entry) => [entry.name, entry]))

const fieldChanges = (before: EffectEntry, after: EffectEntry): ReadonlyArray<FieldChange> => {
  const old = comparable(before)
  return Object.entries(comparable(after)).flatMap(([field, value]) => {
    const earlier = old[field] ?? null
    return canonicalJson(earlier) === canonicalJson(value) ? [] : [{ field, before: earlier, after: value }]
  })
}

const comparable = ({
  coreRevision: _revision,
  fingerprint: _fingerprint,
  policy,
  ...entry
}: EffectEntry): Record<string, Json> => ({
  ...entry,
  policy: policy.effective,
  decidedBy: policy.decidedBy
})
