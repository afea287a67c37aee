/** The names in one folder, which is held open while they are read. */

import { constants, type Dirent, existsSync } from "node:fs"
import { open, opendir } from "node:fs/promises"
import { identityOf } from "@gatehouse/policy/paths/FileSystemTree.boundary"
import * as Effect from "effect/Effect"
import type { FileProblem } from "./FileProblem.ts"
import { problemOf } from "./OpenedFile.boundary.ts"

export interface ListedName {
  readonly name: string
  readonly type: "file" | "folder" | "link" | "special"
}

/** Names that are read of one folder. */
const readLimit = 10_000

const descriptors = "/proc/self/fd"
const heldFolders = existsSync(descriptors)

/** The names in `folder`, sorted. `isPlanned` is asked with the identity of the folder that was opened. */
export const listFolder = (
  folder: string,
  isPlanned: (identity: string) => boolean
): Effect.Effect<ReadonlyArray<ListedName> | FileProblem> => Effect.promise((signal) => read(folder, isPlanned, signal))

const read = async (
  folder: string,
  isPlanned: (identity: string) => boolean,
  signal: AbortSignal
): Promise<ReadonlyArray<ListedName> | FileProblem> => {
  try {
    const held = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    try {
      if (!isPlanned(identityOf(await held.stat({ bigint: true })))) return "changed"
      const names: Array<ListedName> = []
      for await (const entry of await opendir(heldFolders ? `${descriptors}/${held.fd}` : folder)) {
        if (signal.aborted || names.length === readLimit) break
        names.push({ name: entry.name, type: typeOf(entry) })
      }
      return names.sort((left, right) => (left.name < right.name ? -1 : 1))
    } finally {
      await held.close()
    }
  } catch (error) {
    return problemOf(error)
  }
}

const typeOf = (entry: Dirent): ListedName["type"] => {
  if (entry.isDirectory()) return "folder"
  if (entry.isSymbolicLink()) return "link"
  return entry.isFile() ? "file" : "special"
}
