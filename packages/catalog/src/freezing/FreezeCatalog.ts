/**
 * From the entries of all sources to the one table of a turn: toolsets selected, settings merged, names unique,
 * everything frozen. Pure.
 */
import type { SourceKind } from "@gatehouse/core/EffectEntry"
import type { SourceDiagnostic, SourceEntries, SourceEntry } from "@gatehouse/core/EffectSource"
import type { ApprovalSettings, PolicyMerge } from "@gatehouse/core/PolicyMerge"
import * as Either from "effect/Either"
import type { BoundEntry, Catalog } from "../Catalog.ts"
import type { AgentCore } from "../cores/AgentCore.ts"
import { visible } from "../manifests/ManifestFault.ts"
import { nearestName } from "../manifests/NearestName.ts"
import { plainName } from "../names/ExposedName.ts"
import { CatalogError } from "./CatalogError.ts"
import { EntrySealer } from "./EntrySealer.ts"
import { ignoredSettings, settlingUnder } from "./EntrySettings.ts"
import { bind, makeCatalog } from "./FrozenCatalog.ts"

/** What one source brought along for the turn. */
export interface CatalogSource extends SourceEntries {
  readonly kind: SourceKind
}

export interface CatalogInput {
  readonly core: AgentCore
  readonly sources: ReadonlyArray<CatalogSource>
}

/** What the host decides, the same for every turn. */
export interface FreezeSettings {
  readonly merge: PolicyMerge
  /** The approval settings of the host's owner. */
  readonly global: ApprovalSettings
}

/** Entries that were frozen before under one core and the same settings, by the source's own object. */
export type FrozenBefore = WeakMap<SourceEntry, BoundEntry>

/**
 * The catalog, or the two entries that have one name (letter case disregarded). An entry whose definition is no JSON
 * within bounds costs only itself: it is left out with a diagnostic.
 */
export const freezeCatalog = (
  { core, sources }: CatalogInput,
  { global, merge }: FreezeSettings,
  before: FrozenBefore = new WeakMap()
): Either.Either<Catalog, CatalogError> => {
  const selected = new Set<string>(core.manifest.tools.toolsets)
  const settle = settlingUnder({ core: core.approval, global, merge })
  const sealer = new EntrySealer(core.revision)
  const bound: Array<BoundEntry> = []
  const diagnostics: Array<SourceDiagnostic> = [...core.diagnostics]
  const named = new Map<string, SourceEntry>()
  for (const { diagnostics: told, entries, kind } of sources) {
    diagnostics.push(...told)
    for (const entry of entries) {
      const metadata = core.metadata.get(entry.name)
      const isWanted = (entry.toolset === null || selected.has(entry.toolset)) && metadata?.enabled?.value !== false
      if (!isWanted) continue
      const folded = entry.name.toLowerCase()
      const other = named.get(folded)
      if (other !== undefined)
        return Either.left(collision({ kind: kindOf(other, sources), entry: other }, { kind, entry }))
      named.set(folded, entry)
      if (metadata !== undefined) diagnostics.push(...ignoredSettings(entry, metadata))

      const frozen = before.get(entry)
      if (frozen !== undefined) {
        bound.push(frozen)
        continue
      }
      const made = sealer.seal(kind, entry, settle(kind, entry, metadata))
      if (Either.isLeft(made)) diagnostics.push(leftOut(entry, made.left))
      else {
        const one = bind(made.right, entry.adapter)
        before.set(entry, one)
        bound.push(one)
      }
    }
  }
  diagnostics.push(...settingsForNobody(core, sources))
  return Either.right(makeCatalog({ coreRevision: core.revision, bound: bound.sort(byName), diagnostics }))
}

const byName = (left: BoundEntry, right: BoundEntry): number => (left.entry.name < right.entry.name ? -1 : 1)

type Named = { readonly kind: SourceKind; readonly entry: SourceEntry }

const collision = (left: Named, right: Named): CatalogError => {
  const provenances = [provenanceOf(left), provenanceOf(right)] as const
  const authored = [left, right].find(({ kind }) => kind === "authored")
  const name = right.entry.name
  const remedy =
    authored === undefined
      ? "rename the file of the server, exclude its tool (`tools.exclude`), or drop the toolset of the builtin"
      : `rename the folder of ${authored.entry.provenance}, or drop the toolset of the other (\`tools.toolsets\`)`
  return new CatalogError({
    reason: "collision",
    name,
    provenances,
    message: `${provenances[0]} and ${provenances[1]} both have the name ${visible(name)}: ${remedy}`,
    remedy
  })
}

const kindOf = (entry: SourceEntry, sources: ReadonlyArray<CatalogSource>): SourceKind =>
  sources.find(({ entries }) => entries.includes(entry))?.kind ?? "builtin"

/** The kind and the place, each once: `builtin read_file`, `authored agent/tools/note/tool.yaml`. */
const provenanceOf = ({ entry, kind }: Named): string =>
  entry.provenance.startsWith(kind) ? entry.provenance : `${kind} ${entry.provenance}`

const leftOut = (entry: SourceEntry, reason: string): SourceDiagnostic => ({
  subject: entry.provenance,
  severity: "error",
  message: `is left out: ${reason}`,
  remedy: "shorten the definition, or correct what the source gives"
})

/** Settings that name no tool: a slip there leaves a tool less guarded than its owner believes. */
const settingsForNobody = (core: AgentCore, sources: ReadonlyArray<CatalogSource>): ReadonlyArray<SourceDiagnostic> => {
  const settings = [
    ...[...core.metadata].map(([name, { origin }]) => ({ name, origin })),
    ...[...core.approval.tools].map(([name, { origin }]) => ({ name, origin }))
  ]
  if (settings.length === 0) return []
  const known = new Set(sources.flatMap(({ entries }) => entries.map(({ name }) => name)))
  // The tools of a server that is not open now are nobody's slip.
  const prefixes = core.servers.map(({ server }) => plainName({ server, tool: "" }))
  return settings
    .filter(({ name }) => !known.has(name) && !prefixes.some((prefix) => name.startsWith(prefix)))
    .map(({ name, origin }) => {
      const near = nearestName(name, [...known])
      return {
        subject: origin,
        severity: "warning",
        message: "names no tool that any source brings along",
        remedy:
          near === null ? "correct the name, or remove the setting" : `did you mean ${near}? Else remove the setting`
      }
    })
}
