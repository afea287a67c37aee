/**
 * The files of a core as they are on disk: `agent.yaml` and everything under `agent/`. Looking at them (`scanCore`) is
 * apart from reading them (`readCore`), so that an unchanged core costs a look. Reads only; starts nothing.
 */

import { createHash } from "node:crypto"
import type { Stats } from "node:fs"
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { dirname, join, sep } from "node:path"
import { Fingerprint } from "@gatehouse/core/Fingerprint"
import * as Either from "effect/Either"
import type { ManifestFault } from "../manifests/ManifestFault.ts"
import { visible } from "../manifests/ManifestFault.ts"
import { manifestSizeLimit } from "../manifests/YamlText.ts"
import { CoreError, invalidCore } from "./CoreError.ts"

/** Files of one core. Dependencies of tools live beside `agent.yaml`, not under `agent/`. */
export const coreFileLimit = 10_000

/** Bytes of all files of one core. */
export const coreSizeLimit = 64 * 1024 * 1024

/** Folders inside one another; links that lead in a circle end here. */
const folderDepthLimit = 16

/** Bytes of one manifest: its characters, each of up to four bytes. */
const manifestByteLimit = manifestSizeLimit * 4

interface SeenFile {
  /** In the core, with slashes. */
  readonly path: string
  readonly absolute: string
  readonly executable: boolean
}

/** What a look at the folder shows. */
export interface CoreScan {
  /** Absolute, links resolved. */
  readonly root: string
  /** Sorted by path. */
  readonly files: ReadonlyArray<SeenFile>
  /** Equal for two looks between which nothing changed that the file system tells. */
  readonly signature: string
  /** The latest change of any file, in milliseconds since the epoch. */
  readonly changedAt: number
}

/** The core's content. */
export interface CoreContent {
  /** Of path, executability and content of every file. */
  readonly digest: Fingerprint
  readonly paths: ReadonlySet<string>
  /** Texts of the manifests by path. */
  readonly texts: ReadonlyMap<string, string>
  /** The same digest for what lies below one folder (`agent/tools/note`). */
  readonly digestOf: (folder: string) => Fingerprint
}

/** The manifests among the files of a core. */
const manifestPath = /^(agent|agent\/(tools\/[^/]+\/tool|mcp\/[^/]+|schedules\/[^/]+))\.yaml$/

/** Looks at the core in `folder`. */
export const scanCore = (folder: string): Either.Either<CoreScan, CoreError> =>
  attempt(folder, () => {
    const root = realpathSync(folder)
    if (!statSync(root).isDirectory()) throw new Refused(missing(folder, "is a file, not a folder"))
    const names = readdirSync(root)
    if (!names.includes("agent.yaml")) throw new Refused(missing(folder, absence(names)))
    const walk = new Walk(root)
    walk.visit("agent.yaml", 0)
    if (names.includes("agent")) walk.visit("agent", 0)
    if (walk.faults.length > 0) throw new Refused(invalidCore(folder, walk.faults))
    return walk.scan()
  })

/** Reads what `scan` saw. A file that changed in between counts as it is now; the digest is of what was read. */
export const readCore = (scan: CoreScan): Either.Either<CoreContent, CoreError> =>
  attempt(scan.root, () => {
    const lines: Array<{ readonly path: string; readonly line: string }> = []
    const texts = new Map<string, string>()
    const faults: Array<ManifestFault> = []
    for (const { absolute, executable, path } of scan.files) {
      const bytes = readFileSync(absolute)
      const digest = createHash("sha256").update(bytes).digest("hex")
      lines.push({ path, line: JSON.stringify([path, executable, digest]) })
      if (!manifestPath.test(path)) continue
      const text = decoded(bytes)
      if (text === null) faults.push(fileFault(path, "is not UTF-8 text; save it as UTF-8"))
      else texts.set(path, text)
    }
    if (faults.length > 0) throw new Refused(invalidCore(scan.root, faults))
    const digestWhere = (holds: (path: string) => boolean): Fingerprint => {
      const hash = createHash("sha256")
      for (const { line, path } of lines) if (holds(path)) hash.update(`${line}\n`)
      return Fingerprint(hash.digest("hex"))
    }
    return {
      digest: digestWhere(() => true),
      paths: new Set(scan.files.map(({ path }) => path)),
      texts,
      digestOf: (folder) => digestWhere((path) => path.startsWith(`${folder}/`))
    }
  })

/** The nearest folder that holds `agent.yaml`, from `from` upwards; null where none does. */
export const nearestCore = (from: string): string | null => {
  for (let folder = from; ; folder = dirname(folder)) {
    if (statSync(join(folder, "agent.yaml"), { throwIfNoEntry: false })?.isFile() === true) return folder
    if (dirname(folder) === folder) return null
  }
}

/** Carries a refusal out of a walk. */
class Refused {
  readonly error: CoreError
  constructor(error: CoreError) {
    this.error = error
  }
}

class Walk {
  readonly faults: Array<ManifestFault> = []
  readonly #root: string
  readonly #files: Array<SeenFile> = []
  readonly #signature: Array<string> = []
  #bytes = 0
  #changedAt = 0

  constructor(root: string) {
    this.#root = root
  }

  visit(path: string, depth: number): void {
    const absolute = join(this.#root, path)
    const stats = statSync(absolute, { throwIfNoEntry: false })
    if (stats === undefined) {
      this.faults.push(fileFault(path, "is a link that leads nowhere; remove it"))
      return
    }
    const real = realpathSync(absolute)
    if (real !== this.#root && !real.startsWith(this.#root.endsWith(sep) ? this.#root : this.#root + sep)) {
      this.faults.push(fileFault(path, "is a link that leads out of the core; copy what it points at into the core"))
      return
    }
    if (stats.isDirectory()) this.#folder(path, absolute, stats, depth)
    else if (stats.isFile()) this.#file(path, absolute, stats)
    // Sockets, pipes and devices are no part of a core and are never opened.
  }

  scan(): CoreScan {
    const files = this.#files.sort((left, right) => (left.path < right.path ? -1 : 1))
    return { root: this.#root, files, signature: this.#signature.join("\n"), changedAt: this.#changedAt }
  }

  #folder(path: string, absolute: string, stats: Stats, depth: number): void {
    if (depth >= folderDepthLimit) {
      this.faults.push(
        fileFault(path, `is nested deeper than ${folderDepthLimit} folders, perhaps by a link in a circle`)
      )
      return
    }
    this.#note(path, stats)
    for (const name of readdirSync(absolute).sort()) {
      if (name !== ".git") this.visit(`${path}/${name}`, depth + 1)
    }
  }

  #file(path: string, absolute: string, stats: Stats): void {
    if (manifestPath.test(path) && stats.size > manifestByteLimit) {
      this.faults.push(fileFault(path, `is larger than ${manifestSizeLimit} characters; shorten it`))
      return
    }
    this.#bytes += stats.size
    this.#files.push({ path, absolute, executable: (stats.mode & 0o111) !== 0 })
    if (this.#files.length > coreFileLimit || this.#bytes > coreSizeLimit) throw new Refused(tooLarge(this.#root))
    this.#note(path, stats)
  }

  #note(path: string, stats: Stats): void {
    this.#changedAt = Math.max(this.#changedAt, stats.mtimeMs, stats.ctimeMs)
    this.#signature.push(`${path}\0${stats.ino} ${stats.size} ${stats.mode} ${stats.mtimeMs} ${stats.ctimeMs}`)
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true })

const decoded = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

const attempt = <A>(root: string, look: () => A): Either.Either<A, CoreError> => {
  try {
    return Either.right(look())
  } catch (error) {
    return Either.left(error instanceof Refused ? error.error : refusedByMachine(root, error))
  }
}

const refusedByMachine = (root: string, error: unknown): CoreError => {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown"
  if (code === "ENOENT" || code === "ENOTDIR") return missing(root, "is not there, or went while it was read")
  return new CoreError({
    reason: "unreadable",
    root,
    message: `The core in ${visible(root)} cannot be read (${code})`,
    remedy: "give this user the right to read agent.yaml, agent/ and everything in it",
    faults: []
  })
}

const missing = (root: string, problem: string): CoreError =>
  new CoreError({
    reason: "missing",
    root,
    message: `No core in ${visible(root)}: it ${problem}`,
    remedy: "name the folder that holds agent.yaml with --core, or make one with `gatehouse init`",
    faults: []
  })

const absence = (names: ReadonlyArray<string>): string => {
  if (names.length === 0) return "is an empty folder"
  const other = names.find((name) => /^agent\.ya?ml$/i.test(name))
  return other === undefined ? "holds no agent.yaml" : `holds ${visible(other)}, which has to be named agent.yaml`
}

const tooLarge = (root: string): CoreError =>
  new CoreError({
    reason: "too_large",
    root,
    message: `The core in ${visible(root)} holds more than ${coreFileLimit} files or ${coreSizeLimit / 1024 / 1024} MiB under agent/`,
    remedy: "keep dependencies in a node_modules folder beside agent.yaml, and data outside of agent/",
    faults: []
  })

const fileFault = (file: string, message: string): ManifestFault => ({
  file,
  line: 1,
  field: "",
  code: message.includes("UTF-8") || message.includes("larger") ? "yaml_syntax" : "invalid_value",
  suggestion: null,
  message
})
