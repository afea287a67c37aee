/** The tail of one stream as text, with the counts of the whole stream. */
import type { StreamTail } from "../Processes.ts"
import { CodePointCounter } from "./CodePointCounter.ts"
import { TailRing } from "./TailRing.ts"

/** Characters (code points) that are kept of a stream at most, the mark included. */
export const tailCharacters = 12_000

/** Stands first in a tail that is not the whole stream, and counts within it. */
export const truncationMark = "[earlier output left out]\n"

/** A UTF-8 character has four bytes at most, so this many bytes hold the tail whatever they are. */
const bytesPerCharacter = 4

export class StreamTails {
  readonly #ring: TailRing
  readonly #counter = new CodePointCounter()
  readonly #limit: number

  constructor(limit: number = tailCharacters) {
    this.#limit = limit
    this.#ring = new TailRing(bytesPerCharacter * limit)
  }

  push(chunk: Uint8Array): void {
    this.#counter.push(chunk)
    this.#ring.push(chunk)
  }

  /** What is known so far; asking changes nothing. */
  tail(): StreamTail {
    const chars = this.#counter.count
    if (chars === 0) return { text: "", bytes: 0, chars: 0, truncated: false }
    const truncated = chars > this.#limit
    const kept = decode(this.#ring.bytes(), this.#ring.total > bytesPerCharacter * this.#limit)
    return {
      text: truncated ? truncationMark + lastCharacters(kept, this.#limit - truncationMark.length) : kept,
      bytes: this.#ring.total,
      chars,
      truncated
    }
  }
}

/** `cut`: the bytes may begin within a character, whose rest is dropped. */
const decode = (bytes: Uint8Array, cut: boolean): string => {
  let from = 0
  while (cut && from < 3 && ((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from))
}

/** The last `count` code points. */
const lastCharacters = (text: string, count: number): string => {
  let from = text.length
  for (let left = count; left > 0 && from > 0; left--) {
    from -= 1
    const low = text.charCodeAt(from)
    const high = from > 0 ? text.charCodeAt(from - 1) : 0
    if (low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff) from -= 1
  }
  return text.slice(from)
}
