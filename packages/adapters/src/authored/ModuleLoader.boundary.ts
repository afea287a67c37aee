/**
 * Imports the modules of authored tools; TypeScript needs no build step. A module is imported once for each revision of
 * its core: after a change it is a new one, whatever was loaded before.
 */

import { join, sep } from "node:path"
import type { CoreRevision } from "@gatehouse/core/Identifiers"
import type { Jiti } from "jiti"

/** Modules that are kept loaded. */
const keptModules = 128

export interface LoadedModule {
  /** What the module exports. */
  readonly exports: Readonly<Record<string, unknown>>
  /** Imports from the module's own place: its copy of a library, say. */
  readonly importBeside: (name: string) => Promise<unknown>
}

export interface ModulePlace {
  /** Absolute path of the module. */
  readonly file: string
  readonly coreRoot: string
  readonly revision: CoreRevision
}

export type ModuleLoader = (place: ModulePlace) => Promise<LoadedModule>

/** A loader with a memory of its own. */
export const makeModuleLoader = (): ModuleLoader => {
  const kept = new Map<string, Promise<LoadedModule>>()
  /** The revision of each core whose modules the library remembers. */
  const remembered = new Map<string, CoreRevision>()
  return (place) => {
    const key = `${place.file}\0${place.revision}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const fresh = remembered.get(place.coreRoot) !== place.revision
    remembered.set(place.coreRoot, place.revision)
    const loading = load(place, fresh)
    kept.set(key, loading)
    loading.catch(() => kept.delete(key))
    for (const oldest of kept.keys()) {
      if (kept.size <= keptModules) break
      kept.delete(oldest)
    }
    return loading
  }
}

const load = async ({ coreRoot, file }: ModulePlace, fresh: boolean): Promise<LoadedModule> => {
  const { createJiti } = await import("jiti")
  const jiti = createJiti(file, { fsCache: false, moduleCache: true, interopDefault: false })
  if (fresh) forget(jiti, join(coreRoot, "agent") + sep)
  const exports = await jiti.import(file)
  if (typeof exports !== "object" || exports === null) throw new TypeError("the module exports nothing")
  return { exports: { ...exports }, importBeside: (name) => jiti.import(name) }
}

/** The library shares one memory of modules by path: what it holds of this core may be of an older revision. */
const forget = (jiti: Jiti, folder: string): void => {
  for (const path of Object.keys(jiti.cache)) if (path.startsWith(folder)) delete jiti.cache[path]
}
