/**
 * Counts the code points of a byte stream as a UTF-8 decoder would give them, without decoding it: what is no UTF-8
 * counts as one replacement character for each maximal subpart (Unicode 15, section 3.9; WHATWG Encoding, "UTF-8
 * decoder"). Chunks may be cut anywhere.
 */
import { isAscii, isUtf8 } from "node:buffer"

export class CodePointCounter {
  #count = 0
  /** Continuation bytes that the open sequence still needs; 0 between characters. */
  #needed = 0
  /** What the next continuation byte may be: the first one after E0, ED, F0 and F4 is bound more narrowly. */
  #lower = 0x80
  #upper = 0xbf

  push(chunk: Uint8Array): void {
    let from = 0
    while (this.#needed > 0 && from < chunk.length) from = this.#step(chunk, from)
    const rest = from === 0 ? chunk : chunk.subarray(from)
    if (rest.length === 0) return
    if (isAscii(rest)) {
      this.#count += rest.length
      return
    }
    const whole = rest.length - openSequence(rest)
    if (isUtf8(rest.subarray(0, whole))) {
      this.#count += whole - continuationBytes(rest, whole)
      for (let at = whole; at < rest.length; ) at = this.#step(rest, at)
      return
    }
    for (let at = 0; at < rest.length; ) at = this.#step(rest, at)
  }

  /** Code points of everything so far; a sequence that is still open counts as one. */
  get count(): number {
    return this.#count + (this.#needed > 0 ? 1 : 0)
  }

  /** Takes the byte at `at`, and answers where to go on: the same place where that byte ends a broken sequence. */
  #step(bytes: Uint8Array, at: number): number {
    const byte = bytes[at] ?? 0
    if (this.#needed === 0) {
      if (byte < 0x80 || byte < 0xc2 || byte > 0xf4) this.#count += 1
      else this.#begin(byte)
      return at + 1
    }
    const fits = byte >= this.#lower && byte <= this.#upper
    this.#lower = 0x80
    this.#upper = 0xbf
    this.#needed = fits ? this.#needed - 1 : 0
    if (this.#needed === 0) this.#count += 1
    return fits ? at + 1 : at
  }

  #begin(lead: number): void {
    this.#needed = lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : 3
    if (lead === 0xe0) this.#lower = 0xa0
    if (lead === 0xed) this.#upper = 0x9f
    if (lead === 0xf0) this.#lower = 0x90
    if (lead === 0xf4) this.#upper = 0x8f
  }
}

/** Bytes at the end that begin a character without completing it: 0 to 3. */
const openSequence = (bytes: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte >= 0xc0) return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? back : 0
    if (byte < 0x80) return 0
  }
  return 0
}

/** How many of the first `length` bytes are `10xxxxxx`; four at a time where they are aligned. */
const continuationBytes = (bytes: Uint8Array, length: number): number => {
  let count = 0
  let at = 0
  const isContinuation = (index: number): number => (((bytes[index] ?? 0) & 0xc0) === 0x80 ? 1 : 0)
  while (at < length && (bytes.byteOffset + at) % 4 !== 0) count += isContinuation(at++)
  const wordCount = (length - at) >> 2
  if (wordCount === 0) {
    while (at < length) count += isContinuation(at++)
    return count
  }
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + at, wordCount)
  // Each byte of `sum` counts one lane, and is emptied before it can overflow.
  for (let index = 0; index < words.length; ) {
    const stop = Math.min(index + 255, words.length)
    let sum = 0
    for (; index < stop; index++) {
      const word = words[index] ?? 0
      sum += (word >>> 7) & (~word >>> 6) & 0x01010101
    }
    count += (sum & 0xff) + ((sum >>> 8) & 0xff) + ((sum >>> 16) & 0xff) + (sum >>> 24)
  }
  for (at += words.length * 4; at < length; at++) count += isContinuation(at)
  return count
}
