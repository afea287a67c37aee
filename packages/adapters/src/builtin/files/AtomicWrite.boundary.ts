/**
 * Puts content in place as a whole or not at all: a temporary file in the same folder, flushed, then renamed. The
 * folder is held open while this happens and names are used within it, so that a folder that is swapped for a link
 * meanwhile is not followed; the last component is replaced, never followed.
 */

import { randomBytes } from "node:crypto"
import { type BigIntStats, constants, existsSync } from "node:fs"
import { access, type FileHandle, link, lstat, mkdir, open, rename, rmdir, unlink } from "node:fs/promises"
import { dirname, join, parse, relative, sep } from "node:path"
import { identityOf } from "@gatehouse/policy/paths/FileSystemTree.boundary"
import type { FileProblem } from "./FileProblem.ts"
import { problemOf, problemOfType, readFlags, versionOf } from "./OpenedFile.boundary.ts"

export interface WriteJob {
  /** Absolute, resolved, judged. */
  readonly place: string
  readonly content: Uint8Array
  /** What stood there when the change was planned; null where nothing did. */
  readonly replaces: PlannedContent | null
  /** Whether this folder, with this identity, is where it was judged to be: no link leads there by now. */
  readonly isPlannedFolder: (folder: string, identity: string) => boolean
}

export interface PlannedContent {
  readonly version: string
  /** The bytes that the plan saw, where it read them. */
  readonly bytes: Uint8Array | null
}

/** Null where it is done. With a problem nothing has changed, and nothing is left behind. */
export const writeAtomically = async (job: WriteJob): Promise<FileProblem | null> => {
  const undo: Array<() => Promise<unknown>> = []
  const folders: Array<Folder> = []
  let done = false
  try {
    const folder = await openParent(job, folders, undo)
    if (typeof folder === "string") return folder
    const name = parse(job.place).base
    const target = folder.at(name)
    const old = await readOld(target, job.replaces)
    if (typeof old === "string") return old

    const temporary = folder.at(`.gatehouse-${randomBytes(8).toString("hex")}.tmp`)
    await writeTemporary(temporary, job.content, old, undo)
    // Once more, right before the deed.
    const now = await readOld(target, job.replaces)
    if (typeof now === "string") return now
    await putInPlace(temporary, target, old === null)
    done = true
    await folder.handle.sync().catch(() => undefined)
    return null
  } catch (error) {
    return problemOf(error)
  } finally {
    if (!done) for (const step of undo.reverse()) await step().catch(() => undefined)
    for (const folder of folders) await folder.handle.close()
  }
}

interface Folder {
  readonly handle: FileHandle
  readonly at: (name: string) => string
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW

/** On Linux a name below an open folder can be said; elsewhere the path has to do. */
const descriptors = "/proc/self/fd"
const heldFolders = existsSync(descriptors)

const openFolder = async (path: string, place: string, folders: Array<Folder>): Promise<Folder> => {
  const handle = await open(path, folderFlags)
  const folder: Folder = {
    handle,
    at: (name) => (heldFolders ? `${descriptors}/${handle.fd}/${name}` : join(place, name))
  }
  folders.push(folder)
  return folder
}

/** Opens the folder that the file goes into, and makes it where it is missing. */
const openParent = async (
  job: WriteJob,
  folders: Array<Folder>,
  undo: Array<() => Promise<unknown>>
): Promise<Folder | FileProblem> => {
  const parent = dirname(job.place)
  const existing = await nearestExisting(parent)
  let place = existing
  let folder = await openFolder(existing, existing, folders)
  if (!job.isPlannedFolder(existing, identityOf(await folder.handle.stat({ bigint: true })))) return "changed"
  for (const name of relative(existing, parent)
    .split(sep)
    .filter((part) => part !== "")) {
    const path = folder.at(name)
    await mkdir(path)
    undo.push(() => rmdir(path))
    place = join(place, name)
    folder = await openFolder(path, place, folders)
  }
  return folder
}

const nearestExisting = async (folder: string): Promise<string> => {
  for (let place = folder; ; place = dirname(place)) {
    const stats = await lstat(place).catch((error: unknown) => {
      if (problemOf(error) !== "missing") throw error
      return null
    })
    if (stats !== null || place === dirname(place)) return place
  }
}

/** What stands at `target`, or why it is not what was planned. */
const readOld = async (target: string, planned: PlannedContent | null): Promise<BigIntStats | FileProblem | null> => {
  const found = await lstat(target, { bigint: true }).catch((error: unknown) => {
    if (problemOf(error) !== "missing") throw error
    return null
  })
  if (found === null) return planned === null ? null : "changed"
  const problem = found.isSymbolicLink() ? "changed" : problemOfType(found)
  if (problem !== null) return problem
  if (planned === null) return "changed"
  const file = await open(target, readFlags)
  try {
    const stats = await file.stat({ bigint: true })
    if (versionOf(stats) !== planned.version) return "changed"
    // Times of files are coarse: where the plan read the content, the content is compared.
    if (planned.bytes !== null && !Buffer.from(await file.readFile()).equals(planned.bytes)) return "changed"
    return await access(target, constants.W_OK).then(
      () => stats,
      () => "read_only" as const
    )
  } finally {
    await file.close()
  }
}

const permissionBits = 0o7777n
const newFileMode = 0o666

const writeTemporary = async (
  path: string,
  content: Uint8Array,
  old: BigIntStats | null,
  undo: Array<() => Promise<unknown>>
): Promise<void> => {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  // Until it has the old mode nobody else can read it.
  const file = await open(path, flags, old === null ? newFileMode : 0o600)
  undo.push(() => unlink(path))
  try {
    await file.writeFile(content)
    if (old !== null) {
      const own = await file.stat({ bigint: true })
      if (own.uid !== old.uid || own.gid !== old.gid) {
        await file.chown(Number(old.uid), Number(old.gid)).catch(() => undefined)
      }
      await file.chmod(Number(old.mode & permissionBits))
    }
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A new file is linked, which fails where something has come into its place; an old one is replaced. */
const putInPlace = async (temporary: string, target: string, fresh: boolean): Promise<void> => {
  if (!fresh) return rename(temporary, target)
  try {
    await link(temporary, target)
  } catch (error) {
    if (!(error instanceof Error && "code" in error && noLinks.has(String(error.code)))) throw error
    return rename(temporary, target)
  }
  await unlink(temporary)
}

/** Answers of file systems that have no hard links. */
const noLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK", "EXDEV"])
