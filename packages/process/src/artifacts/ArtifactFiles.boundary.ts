/**
 * The files of artifacts: `<root>/<id>/<name>` with `<root>/<id>/about.json` beside it. Folders are 0700 and files 0600
 * whatever the umask; nothing is followed or overwritten that stands at their place. Functions throw what the file
 * system says; {@link ArtifactFile} reports it through its callbacks.
 */

import { createHash } from "node:crypto"
import * as fs from "node:fs"
import { join } from "node:path"
import * as Schema from "effect/Schema"

/** What is written beside an artifact. `bytes` and `sha256` are null until it is finished. */
const About = Schema.Struct({
  name: Schema.String,
  mediaType: Schema.String,
  /** Milliseconds since the epoch. */
  createdAt: Schema.Number,
  /** The host that writes it, as `SpawnMark.formatHost` puts it. */
  owner: Schema.String,
  bytes: Schema.NullOr(Schema.Number),
  sha256: Schema.NullOr(Schema.String)
})
export type About = typeof About.Type

export interface StoredArtifact {
  readonly id: string
  readonly about: About
  /** Bytes on disk now. */
  readonly size: number
}

const aboutName = "about.json"
const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants
const decodeAbout = Schema.decodeUnknownOption(Schema.parseJson(About))

/** Makes the root if it is missing. A link in its place is refused. */
export const prepareRoot = (root: string): void => {
  try {
    fs.mkdirSync(root, { mode: 0o700 })
    fs.chmodSync(root, 0o700)
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error
    if (!fs.lstatSync(root).isDirectory()) throw new Error("its place is taken by a link or a file", { cause: error })
  }
}

/** A new, empty artifact that is open for writing. */
export const createArtifactFile = (root: string, id: string, about: About): ArtifactFile => {
  const folder = join(root, id)
  fs.mkdirSync(folder, { mode: 0o700 })
  fs.chmodSync(folder, 0o700)
  writeAbout(root, id, about)
  return new ArtifactFile(openNew(join(folder, about.name)))
}

/** Replaces what is written beside an artifact in one step. */
export const writeAbout = (root: string, id: string, about: About): void => {
  const draft = join(root, id, `.${aboutName}`)
  fs.rmSync(draft, { force: true })
  const file = openNew(draft)
  try {
    fs.writeSync(file, JSON.stringify(about))
  } finally {
    fs.closeSync(file)
  }
  fs.renameSync(draft, join(root, id, aboutName))
}

/** All artifacts of the root, in no order. What is not an artifact is left out. */
export const readArtifacts = (root: string): ReadonlyArray<StoredArtifact> =>
  namesIn(root).flatMap((id) => {
    const stored = readArtifact(root, id)
    return stored === null ? [] : [stored]
  })

export const readArtifact = (root: string, id: string): StoredArtifact | null => {
  try {
    const about = decodeAbout(fs.readFileSync(join(root, id, aboutName), "utf8"))
    if (about._tag === "None") return null
    return { id, about: about.value, size: fs.lstatSync(join(root, id, about.value.name)).size }
  } catch {
    return null
  }
}

export const removeArtifact = (root: string, id: string): void =>
  fs.rmSync(join(root, id), { recursive: true, force: true })

/** One open file: bytes are written in the order of the calls, one call at a time. */
export class ArtifactFile {
  readonly #file: number
  readonly #hash = createHash("sha256")
  #bytes = 0
  #open = true

  constructor(file: number) {
    this.#file = file
  }

  get isOpen(): boolean {
    return this.#open
  }

  /** Calls `done` with null, or with what the file system said. */
  write(bytes: Uint8Array, done: (error: Error | null) => void, from = 0): void {
    fs.write(this.#file, bytes, from, bytes.length - from, null, (error, written) => {
      if (error !== null) return done(error)
      if (from + written < bytes.length) return this.write(bytes, done, from + written)
      this.#hash.update(bytes)
      this.#bytes += bytes.length
      done(null)
    })
  }

  /** Closes it and answers size and digest. Throws where the system could not keep what was written. */
  close(): { readonly bytes: number; readonly sha256: string } {
    this.#open = false
    fs.closeSync(this.#file)
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") }
  }
}

const openNew = (path: string): number => {
  const file = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
  fs.fchmodSync(file, 0o600)
  return file
}

const namesIn = (root: string): ReadonlyArray<string> => {
  try {
    return fs.readdirSync(root)
  } catch (error) {
    if (isCode(error, "ENOENT")) return []
    throw error
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code
