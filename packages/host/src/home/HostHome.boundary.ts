/**
 * Makes the private folder of a host, and the key that only this home has. Two hosts that start at once agree on one
 * key; nothing that is there is overwritten.
 */

import { randomBytes } from "node:crypto"
import { chmodSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "@gatehouse/core/Home"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { makeFolder } from "./MakeFolder.boundary.ts"

/** Folder in the home that children of the host see as their own home. */
export const childHomeName = "child-home"

/** Bytes of the key of a home. */
const keyBytes = 32

/** The home cannot be used; `message` says what is wrong with it, `remedy` what to do. */
export class HomeError extends Data.TaggedError("HomeError")<{ readonly message: string; readonly remedy: string }> {}

/** The home at `root` (absolute), made with mode 0700 where it is missing, its key in `key` with mode 0600. */
export const homeLayer = (root: string): Layer.Layer<Home, HomeError> =>
  Layer.effect(
    Home,
    Effect.try({
      try: () => {
        makePrivate(root)
        makePrivate(join(root, childHomeName))
        return Home.of({ root, key: readOrMakeKey(join(root, "key")) })
      },
      catch: (cause) => homeError(root, cause)
    })
  )

/** The mode given to mkdir passes through the umask, and the folder may be an older one. */
const makePrivate = (folder: string): void => {
  makeFolder(folder, 0o700)
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700)
}

const readOrMakeKey = (path: string): Uint8Array => {
  const key = readKey(path) ?? makeKey(path)
  if (key.length !== keyBytes) throw new Error(`${path} holds ${key.length} bytes, not ${keyBytes}`)
  return key
}

const readKey = (path: string): Uint8Array | null => {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return null
    throw error
  }
}

/** A link is made whole or not at all, so that no host ever reads half a key. */
const makeKey = (path: string): Uint8Array => {
  const fresh = `${path}.${randomBytes(8).toString("hex")}`
  try {
    writeFileSync(fresh, randomBytes(keyBytes), { mode: 0o600, flag: "wx" })
    try {
      linkSync(fresh, path)
    } catch (error) {
      if (!isSystemError(error) || error.code !== "EEXIST") throw error
    }
  } finally {
    rmSync(fresh, { force: true })
  }
  return readFileSync(path)
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && "code" in error

const homeError = (root: string, cause: unknown): HomeError => {
  const code = isSystemError(cause) ? cause.code : undefined
  const remedy =
    code === "EACCES" || code === "EPERM" || code === "EROFS"
      ? "name a folder that you may write with --home or GATEHOUSE_HOME"
      : code === "ENOSPC"
        ? "free some space on its disk"
        : "name another folder with --home or GATEHOUSE_HOME, or mend this one"
  return new HomeError({
    message: `the home ${root} cannot be used: ${cause instanceof Error ? cause.message : "unknown fault"}`,
    remedy
  })
}
