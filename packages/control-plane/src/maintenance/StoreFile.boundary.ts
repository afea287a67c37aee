/** Store files as a whole: moved aside when somebody asks for it, put back from a backup, never overwritten. */

import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync
} from "node:fs"
import { join } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { fileExists, storeErrorOf } from "../internal/StoreFaults.ts"
import { storeFileName } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"

/** SQLite's side files of a store: they belong to it and move with it. */
const sideFiles = ["", "-wal", "-shm"] as const

/**
 * Moves the store of the home at `root` aside, so that the next host starts with an empty one; its new path. For a
 * damaged store that cannot be mended, and only when somebody asked for it: hosts that use it stop with `missing`.
 */
export const setStoreAside = (root: string): Effect.Effect<string, StoreError> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const path = join(root, storeFileName)
    const aside = `${path}.aside-${now}`
    return Effect.try({
      try: () => {
        if (existsSync(aside)) throw fileExists(aside)
        for (const side of sideFiles) {
          if (side === "" || existsSync(path + side)) renameSync(path + side, aside + side)
        }
        return aside
      },
      catch: (cause) => storeErrorOf(path, cause)
    })
  })

/** Puts the backup at `backup` into the home at `root`, which must have no store; mode 0600. Verify it before. */
export const restoreStore = (backup: string, root: string): Effect.Effect<void, StoreError> => {
  const path = join(root, storeFileName)
  const unfinished = `${path}.unfinished`
  return Effect.try({
    try: () => {
      if (sideFiles.some((side) => existsSync(path + side))) throw fileExists(path)
      closeSync(openSync(unfinished, "wx", 0o600))
      try {
        copyFileSync(backup, unfinished)
        const descriptor = openSync(unfinished, constants.O_RDWR)
        fsyncSync(descriptor)
        closeSync(descriptor)
        linkSync(unfinished, path)
      } finally {
        rmSync(unfinished, { force: true })
      }
    },
    catch: (cause) => storeErrorOf(path, cause)
  })
}
