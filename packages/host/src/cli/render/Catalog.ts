/** A catalog, and what changed between two, as tables. */
import type { Catalog } from "@gatehouse/catalog/Catalog"
import type { CatalogDiff } from "@gatehouse/catalog/CatalogDiff"
import { table } from "./Table.ts"

interface Style {
  readonly colours: boolean
  readonly columns: number
}

/** One row an entry: name, source, risk, policy, capability, and what decided the policy. */
export const renderCatalog = (catalog: Catalog, style: Style): string => {
  const rows = catalog.entries.map(({ capability, name, policy, provenance, risk, source }) => [
    name,
    source,
    risk,
    policy.effective,
    capability ?? "none",
    policy.decidedBy,
    provenance
  ])
  return [
    table(["NAME", "SOURCE", "RISK", "POLICY", "CAPABILITY", "DECIDED BY", "FROM"], rows, style),
    `\ncatalog ${catalog.id}\ncore    ${catalog.coreRevision}\n${rows.length} entries`
  ].join("\n")
}

/** Added, removed and changed entries, field by field. */
export const renderCatalogDiff = (diff: CatalogDiff, style: Style): string => {
  const lines = [
    ...diff.added.map(({ name, provenance }) => paint(`+ ${name}  (${provenance})`, 32, style)),
    ...diff.removed.map(({ name, provenance }) => paint(`- ${name}  (${provenance})`, 31, style)),
    ...diff.changed.flatMap(({ changes, name }) => [
      paint(`~ ${name}`, 33, style),
      ...changes.map(
        ({ after, before, field }) => `    ${field}: ${JSON.stringify(before)} -> ${JSON.stringify(after)}`
      )
    ])
  ]
  return lines.length === 0 ? "no difference" : lines.join("\n")
}

const paint = (text: string, colour: number, style: Style): string =>
  style.colours ? `\u001b[${colour}m${text}\u001b[0m` : text
