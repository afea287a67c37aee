/** The look-ups of the command review on the real machine: they read, and do nothing else. */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync
} from "node:fs"
import { dirname, isAbsolute, join } from "node:path"
import type { CommandLookups, ProgramPlace } from "./CommandLookups.ts"
import { absolutePath, isWithin } from "./CommandPlaces.ts"

/** Bytes of a file that the review reads; a larger one is not read at all. */
const fileLimit = 1024 * 1024

/** A missing file is an ordinary answer: an exception for it would cost more than the look-up. */
const quietly = { throwIfNoEntry: false } as const

const attempt = <A>(read: () => A): A | null => {
  try {
    return read()
  } catch {
    // Missing, or not ours to read: for the review it is not there.
    return null
  }
}

export const liveLookups: CommandLookups = {
  program: (name, searchPath, workspace) => {
    for (const folder of searchPath.split(":")) {
      const path = isAbsolute(folder) ? join(folder, name) : `./${join(folder, name)}`
      const found = attempt(() => statSync(path, quietly)) ?? null
      if (found === null || !found.isFile() || (found.mode & 0o111) === 0) continue
      return {
        path,
        doubt: isAbsolute(folder) ? doubtAbout(path, found, workspace) : "lies in a folder that is not absolute"
      }
    }
    return null
  },
  read: (path) => attempt(() => readText(path)),
  exists: (path) => (attempt(() => statSync(path, quietly)) ?? null) !== null,
  resolve: (path) => {
    // What does not exist yet is where its nearest existing parent is.
    let place = path
    let rest = ""
    for (;;) {
      const real = attempt(() => (lstatSync(place, quietly) === undefined ? null : realpathSync.native(place)))
      if (real !== null) return absolutePath(rest === "" ? real : `${real}/${rest}`, "/")
      const parent = dirname(place)
      if (parent === place) return absolutePath(path, "/")
      rest =
        rest === ""
          ? place.slice(parent === "/" ? 1 : parent.length + 1)
          : `${place.slice(parent === "/" ? 1 : parent.length + 1)}/${rest}`
      place = parent
    }
  }
}

/** Why a program at this place may be another one than it seems. */
const doubtAbout = (path: string, file: Stats, workspace: string | null): ProgramPlace["doubt"] => {
  const real = attempt(() => realpathSync.native(path)) ?? path
  for (const place of [path, real]) {
    if (workspace !== null && isWithin(place, workspace)) return "lies in the workspace"
    const folder = attempt(() => statSync(dirname(place), quietly)) ?? null
    if (folder === null || isWritableByOthers(folder)) return "lies in a folder that others may write"
  }
  return isWritableByOthers(file) ? "is a file that others may write" : null
}

const isWritableByOthers = ({ mode, uid, gid }: Stats): boolean => {
  const ours = uid === 0 || uid === process.getuid?.()
  const ourGroup = gid === 0 || gid === process.getgid?.()
  return !ours || (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !ourGroup)
}

const readText = (path: string): string | null => {
  // A pipe would wait for a writer: it is opened without waiting, and only a regular file is read.
  if (statSync(path, quietly)?.isFile() !== true) return null
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const status = fstatSync(descriptor)
    if (!status.isFile() || status.size > fileLimit) return null
    const bytes = Buffer.alloc(status.size)
    return bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, status.size, 0))
  } finally {
    closeSync(descriptor)
  }
}
