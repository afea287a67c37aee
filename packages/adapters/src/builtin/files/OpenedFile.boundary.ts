/**
 * Opens ordinary files and nothing else: the last component is not followed, nothing waits for a pipe, and what was
 * opened is looked at before a byte of it is read.
 */

import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { type FileHandle, open } from "node:fs/promises"
import { identityOf } from "@gatehouse/policy/paths/FileSystemTree.boundary"
import { type FileProblem, problemOfCode } from "./FileProblem.ts"

/** For reading: no last link, no waiting, no terminal that becomes ours. */
export const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY

/** A file as a whole, with what tells whether it changed since. */
export interface WholeFile {
  /** Null where the file is larger than what was wanted. */
  readonly bytes: Buffer | null
  readonly version: string
}

/** Reads all of an ordinary file, if it has at most `limit` bytes; synchronously, for a plan. */
export const readWhole = (place: string, limit: number): WholeFile | FileProblem => {
  let descriptor: number | null = null
  try {
    descriptor = openSync(place, readFlags)
    const stats = fstatSync(descriptor, { bigint: true })
    const problem = problemOfType(stats)
    if (problem !== null) return problem
    if (stats.size > BigInt(limit)) return { bytes: null, version: versionOf(stats) }
    const bytes = Buffer.alloc(Number(stats.size))
    let filled = 0
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, filled)
      if (count === 0) break
      filled += count
    }
    return { bytes: bytes.subarray(0, filled), version: versionOf(stats) }
  } catch (error) {
    return problemOf(error)
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

/**
 * Opens an ordinary file, hands it to `use`, and closes it. `isPlanned` is asked with the identity of what was opened.
 */
export const withOpenedFile = async <A>(
  place: string,
  isPlanned: (identity: string) => boolean,
  use: (file: FileHandle, size: number) => Promise<A>
): Promise<A | FileProblem> => {
  let file: FileHandle | null = null
  try {
    file = await open(place, readFlags)
    const stats = await file.stat({ bigint: true })
    const problem = problemOfType(stats)
    if (problem !== null) return problem
    if (!isPlanned(identityOf(stats))) return "changed"
    return await use(file, Number(stats.size))
  } catch (error) {
    return problemOf(error)
  } finally {
    await file?.close()
  }
}

/** Changes whenever content or attributes do; a file put in its place has another one. */
export const versionOf = (stats: BigIntStats): string =>
  `${identityOf(stats)}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`

export const problemOfType = (stats: BigIntStats): FileProblem | null =>
  stats.isFile() ? null : stats.isDirectory() ? "folder" : "special"

/** The problem behind what `node:fs` threw; what is no error of a file goes on. */
export const problemOf = (error: unknown): FileProblem => {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return problemOfCode(error.code)
  throw error
}
