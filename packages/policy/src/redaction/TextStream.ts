/**
 * Masks text that flows: what a command prints, what a tool says while it runs, what is kept in a file. Known secrets are
 * found in the bytes however they are cut; what a line says by itself (token shapes, assignments, keys) is found line by
 * line, so that a line is passed on once its end is known.
 */
import { isUtf8 } from "node:buffer"
import type { Json } from "@gatehouse/core/Json"
import { collect } from "./Collector.ts"
import { united } from "./exact/ExactMatcher.ts"
import { holdsSecret, KnownSecrets, type SecretSet, secretsIn } from "./exact/KnownSecrets.ts"
import type { StreamMask } from "./Redactor.ts"
import type { Finding } from "./text/Finding.ts"
import type { SecretText } from "./text/SecretText.ts"

/** Bytes of a line that are waited for; a longer line is passed on in parts, cut between words. */
export const longestLine = 64 * 1024

/** Bytes before a line that are read with it: the name of a value may stand on the line above. */
const contextBytes = 2 * 1024

/** Values that one stream tells to be secret, and that are looked for in the rest of it; and how many of them are one set. */
const mostLearned = 256
const learnedSet = 16

export interface TextStreamTools {
  readonly text: SecretText
  /** Told before each part; what it throws fails the stream. */
  readonly before: () => void
}

/** Looks for what `sets` hold, and for what the text says itself. */
export const makeTextStream = (
  exact: StreamMask,
  sets: ReadonlyArray<SecretSet>,
  mark: string,
  tools: TextStreamTools
): StreamMask => {
  const lines = new LineMask(sets, mark, tools)
  return {
    push: (chunk) => lines.push(exact.push(chunk)),
    end: () => Buffer.concat([lines.push(exact.end()), lines.end()])
  }
}

class LineMask {
  readonly #tools: TextStreamTools
  readonly #mark: string
  readonly #sets: Array<SecretSet>
  readonly #known = new KnownSecrets()
  readonly #learned = new Set<string>()
  /** The newest of what was learned; its set is the last of the sets. */
  #newest = new Set<string>()
  /** The line that has no end yet. */
  #pending: Buffer = Buffer.alloc(0)
  /** What stands before it, as it was. */
  #context: Buffer = Buffer.alloc(0)
  /** The context is inside something that goes on: the next part is read, whatever it looks like. */
  #isOpen = false

  constructor(sets: ReadonlyArray<SecretSet>, mark: string, tools: TextStreamTools) {
    this.#sets = [...sets]
    this.#mark = mark
    this.#tools = tools
  }

  push(chunk: Uint8Array): Uint8Array {
    if (chunk.length === 0) return chunk
    const bytes = Buffer.concat([this.#pending, chunk])
    const end = cutPlace(bytes)
    this.#pending = bytes.subarray(end)
    return end === 0 ? new Uint8Array() : this.#masked(bytes.subarray(0, end))
  }

  end(): Uint8Array {
    const rest = this.#pending
    this.#pending = Buffer.alloc(0)
    return rest.length === 0 ? rest : this.#masked(rest)
  }

  #masked(part: Buffer): Uint8Array {
    this.#tools.before()
    const bytes = this.#context.length === 0 ? part : Buffer.concat([this.#context, part])
    if (!this.#isOpen && !this.#tools.text.mayHoldSecret(bytes) && !holdsSecret(bytes, this.#sets)) {
      this.#context = tailOf(bytes)
      return part
    }
    // Bytes that are no text stay what they are: then each byte is read as a character.
    const encoding = isUtf8(bytes) ? "utf8" : "latin1"
    const text = bytes.toString(encoding)
    const from = this.#context.toString(encoding).length
    const findings = this.#find(text)
    const found = united([...findings, ...secretsIn(text, this.#sets)])
    this.#keepContext(bytes, text, encoding, findings)
    return Buffer.from(replacedFrom(text, from, found, this.#mark), encoding)
  }

  /** Secrets of `text`; their values are looked for from here on. */
  #find(text: string): ReadonlyArray<Finding> {
    const documents = text.split("\n").filter((line) => /^\s*[[{]/.test(line))
    const read: Json = { text, documents: Object.fromEntries(documents.entries()) }
    const collected = collect(read, this.#tools.text, () => undefined)
    this.#learn(collected.known)
    return collected.texts.get(text) ?? []
  }

  #learn(values: ReadonlySet<string>): void {
    const before = this.#learned.size
    for (const value of values) {
      if (this.#learned.size >= mostLearned || this.#learned.has(value)) continue
      this.#learned.add(value)
      this.#newest.add(value)
    }
    if (this.#learned.size === before) return
    if (this.#newest.size > this.#learned.size - before) this.#sets.pop()
    this.#sets.push(this.#known.of(this.#newest))
    if (this.#newest.size >= learnedSet) this.#newest = new Set()
  }

  /** A block that reaches to the end (a key without its last line) stays known by its first line. */
  #keepContext(bytes: Buffer, text: string, encoding: BufferEncoding, findings: ReadonlyArray<Finding>): void {
    const open = findings.find(({ end, start }) => end === text.length && text.slice(start, end - 1).includes("\n"))
    this.#isOpen = open !== undefined
    if (open === undefined) {
      this.#context = tailOf(bytes)
      return
    }
    const start = text.lastIndexOf("\n", open.start - 1) + 1
    const first = Buffer.from(text.slice(start, text.indexOf("\n", open.start) + 1), encoding)
    const rest = Buffer.from(text.slice(start), encoding)
    this.#context = rest.length <= contextBytes ? rest : Buffer.concat([first, tailOf(rest)])
  }
}

const newline = 0x0a
const carriageReturn = 0x0d

/** Up to where `bytes` can be passed on: the last end of a line, or the last gap between words of a line too long. */
const cutPlace = (bytes: Buffer): number => {
  const end = Math.max(bytes.lastIndexOf(newline), bytes.lastIndexOf(carriageReturn)) + 1
  if (bytes.length - end <= longestLine) return end
  for (let at = bytes.length - 1; at > end; at--) if (!isWord(bytes[at] ?? 0)) return at
  return bytes.length
}

/** Letters, digits, `_`, `-`, `.` and whatever is no ASCII: nothing that a token is cut at. */
const isWord = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x41 && byte <= 0x5a) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x5f ||
  byte === 0x2d ||
  byte === 0x2e ||
  byte >= 0x80

/** The last lines of `bytes`, within the bound; a copy, so that nothing larger is kept alive. */
const tailOf = (bytes: Buffer): Buffer => {
  if (bytes.length <= contextBytes) return Buffer.from(bytes)
  const tail = bytes.subarray(bytes.length - contextBytes)
  let start = tail.indexOf(newline) + 1
  while (((tail[start] ?? 0) & 0xc0) === 0x80) start += 1
  return Buffer.from(tail.subarray(start))
}

/** `text` from `from` on, with `found` replaced; what lies before was passed on already. */
const replacedFrom = (
  text: string,
  from: number,
  found: ReadonlyArray<{ readonly start: number; readonly end: number }>,
  mark: string
): string => {
  let result = ""
  let at = from
  for (const { end, start } of found) {
    if (end <= at) continue
    result += text.slice(at, Math.max(at, start)) + mark
    at = end
  }
  return result + text.slice(at)
}
