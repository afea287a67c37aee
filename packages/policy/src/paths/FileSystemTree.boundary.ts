/** The file system of this machine as a {@link PathTree}: reads types of files, links and names, and opens no file. */
import { type BigIntStats, lstatSync, readdirSync, readlinkSync } from "node:fs"
import { dirname, join } from "node:path"
import type { PathNode, PathTree } from "./PathTree.ts"

/** Entries of a folder that are looked through for the other names of a file. */
const siblingLimit = 2048

const lookup = (path: string): PathNode | null => {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (stats === undefined) return null
    if (stats.isSymbolicLink()) return { type: "link", target: readlinkSync(path) }
    if (stats.isDirectory()) return { type: "directory", identity: identityOf(stats) }
    if (stats.isFile()) return { type: "file", links: Number(stats.nlink), identity: identityOf(stats) }
    return { type: "special", identity: identityOf(stats) }
  } catch (error) {
    return isAbsence(error) ? null : { type: "unreadable" }
  }
}

/** All names, where the folder itself holds every one of them; more is not looked for. */
const namesOf = (path: string): ReadonlyArray<string> | null => {
  try {
    const folder = dirname(path)
    const stats = lstatSync(path, { bigint: true })
    const siblings = readdirSync(folder)
    if (siblings.length > siblingLimit) return null
    const names = siblings
      .map((name) => join(folder, name))
      .filter((name) => {
        const other = lstatSync(name, { bigint: true, throwIfNoEntry: false })
        return other !== undefined && identityOf(other) === identityOf(stats)
      })
    return names.length === Number(stats.nlink) ? names : null
  } catch {
    return null
  }
}

/** Device and number of a file, as one text. */
export const identityOf = (stats: BigIntStats): string => `${stats.dev}:${stats.ino}`

const isAbsence = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")

export const fileSystemTree: PathTree = { lookup, namesOf }
