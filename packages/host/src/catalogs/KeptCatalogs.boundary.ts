/**
 * Catalogs of earlier turns, kept in the home so that two of them can be compared: what each entry was, its schema as a
 * fingerprint. The newest {@link keptCatalogs} stay.
 */

import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Catalog } from "@gatehouse/catalog/Catalog"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { Home } from "@gatehouse/core/Home"
import * as Effect from "effect/Effect"

/** Catalogs that are kept at once. */
export const keptCatalogs = 64

const folderName = "catalogs"

/** Keeps `catalog`; one that is there already is marked as the newest. */
export const keepCatalog = (catalog: Catalog): Effect.Effect<void, never, Home> =>
  Effect.flatMap(Home, ({ root }) =>
    Effect.ignoreLogged(
      Effect.try(() => {
        const folder = join(root, folderName)
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        const fresh = join(folder, `.${catalog.id}.${process.pid}`)
        writeFileSync(fresh, JSON.stringify(catalog.entries.map(compact)), { mode: 0o600 })
        renameSync(fresh, join(folder, `${catalog.id}.json`))
        for (const { name } of newestFirst(folder).slice(keptCatalogs)) rmSync(join(folder, name), { force: true })
      })
    )
  )

/** The text of the kept catalog whose id begins with `prefix`; null where none or several do. */
export const findKeptCatalog = (prefix: string): Effect.Effect<string | null, never, Home> =>
  Effect.map(Home, ({ root }) => {
    const folder = join(root, folderName)
    const found = newestFirst(folder).filter(({ name }) => name.startsWith(prefix))
    const [only] = found
    return only !== undefined && found.length === 1 ? readFileSync(join(folder, only.name), "utf8") : null
  })

const compact = (entry: EffectEntry): EffectEntry => ({
  ...entry,
  inputSchema: { fingerprint: fingerprint(entry.inputSchema) }
})

const newestFirst = (folder: string): ReadonlyArray<{ readonly name: string; readonly at: number }> => {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }))
      .sort((left, right) => right.at - left.at)
  } catch {
    return []
  }
}
