/** A client's configuration file: read, kept aside, and replaced whole. */
import { randomBytes } from "node:crypto"
import {
  chmodSync,
  copyFileSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname } from "node:path"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { makeFolder } from "../home/MakeFolder.boundary.ts"

export class ConfigFileError extends Data.TaggedError("ConfigFileError")<{
  readonly message: string
  readonly remedy: string
}> {}

/** The text of `path`; the empty text where there is no such file. */
export const readConfig = (path: string): Effect.Effect<string, ConfigFileError> =>
  Effect.try({ try: () => textOf(path) ?? "", catch: (error) => failed(path, "read", error) })

/**
 * Replaces `before` by `after`, with the mode that the file has, and answers with the copy of what was there; null where
 * there was nothing. Refused where the file is not `before` any more.
 */
export const replaceConfig = (
  path: string,
  before: string,
  after: string
): Effect.Effect<string | null, ConfigFileError> =>
  Effect.try({
    try: () => {
      makeFolder(dirname(path))
      const held = textOf(path)
      if ((held ?? "") !== before)
        throw new ConfigFileError({ message: `${path} changed meanwhile`, remedy: "give the command again" })
      const place = held === null ? path : realpathSync(path)
      const fresh = `${place}.${randomBytes(8).toString("hex")}`
      const backup = held === null ? null : `${place}.before-gatehouse`
      if (backup !== null) copyFileSync(place, backup)
      try {
        writeFileSync(fresh, after, { flag: "wx", mode: 0o600 })
        chmodSync(fresh, held === null ? 0o644 & ~process.umask() : statSync(place).mode & 0o777)
        renameSync(fresh, place)
      } finally {
        rmSync(fresh, { force: true })
      }
      return backup
    },
    catch: (error) => (error instanceof ConfigFileError ? error : failed(path, "written", error))
  })

const textOf = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null
    throw error
  }
}

const failed = (path: string, verb: string, error: unknown): ConfigFileError =>
  new ConfigFileError({
    message: `${path} cannot be ${verb}: ${error instanceof Error ? error.message : "unknown fault"}`,
    remedy: ""
  })
