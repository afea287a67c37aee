/**
 * Bytes that stand for JSON values, for fingerprints: equal values have equal bytes whatever the order of their
 * fields, different values have different ones. Each value is a tag and, where it varies, its length.
 *
 * Written straight into one buffer that is used again for every definition: put together as text, the same takes twice
 * as long and leaves a catalog's worth of garbage.
 */

import * as Crypto from "node:crypto"
import { Fingerprint } from "@gatehouse/core/Fingerprint"

const tag = { null: 0, false: 1, true: 2, number: 3, narrow: 4, wide: 5, array: 6, object: 7 } as const

export class DigestBytes {
  private bytes = new Uint8Array(64 * 1024)
  private view = new DataView(this.bytes.buffer)
  private at = 0

  /** How much is written; a place to go back to. */
  mark(): number {
    return this.at
  }

  /** Forgets what was written after `mark`. */
  rewind(mark: number): void {
    this.at = mark
  }

  null(): void {
    this.room(1)
    this.bytes[this.at++] = tag.null
  }

  boolean(value: boolean): void {
    this.room(1)
    this.bytes[this.at++] = value ? tag.true : tag.false
  }

  /** JSON has one zero. */
  number(value: number): void {
    this.room(9)
    this.bytes[this.at++] = tag.number
    this.view.setFloat64(this.at, value === 0 ? 0 : value)
    this.at += 8
  }

  /** One byte for each character up to U+00FF; a text with others takes two bytes for each of its UTF-16 units. */
  text(value: string): void {
    const { length } = value
    this.room(5 + 2 * length)
    const begin = this.at
    this.head(tag.narrow, length)
    const { at, bytes } = this
    for (let index = 0; index < length; index++) {
      const unit = value.charCodeAt(index)
      if (unit > 0xff) return this.wide(value, begin)
      bytes[at + index] = unit
    }
    this.at = at + length
  }

  /** Followed by `count` values. */
  array(count: number): void {
    this.room(5)
    this.head(tag.array, count)
  }

  /** Followed by `count` pairs of a name and a value, names in code unit order. */
  object(count: number): void {
    this.room(5)
    this.head(tag.object, count)
  }

  /** SHA-256 of everything written. */
  fingerprint(): Fingerprint {
    const written = this.bytes.subarray(0, this.at)
    return Fingerprint(sha256(written))
  }

  private wide(value: string, begin: number): void {
    this.at = begin
    this.head(tag.wide, value.length)
    for (let index = 0; index < value.length; index++) {
      this.view.setUint16(this.at, value.charCodeAt(index))
      this.at += 2
    }
  }

  private head(kind: number, length: number): void {
    this.bytes[this.at] = kind
    this.view.setUint32(this.at + 1, length)
    this.at += 5
  }

  private room(count: number): void {
    if (this.at + count <= this.bytes.length) return
    const larger = new Uint8Array(2 * (this.at + count))
    larger.set(this.bytes.subarray(0, this.at))
    this.bytes = larger
    this.view = new DataView(larger.buffer)
  }
}

/** The one-shot form came with Node 20.12 and costs half. */
const sha256 = (bytes: Uint8Array): string =>
  typeof Crypto.hash === "function"
    ? Crypto.hash("sha256", bytes, "hex")
    : Crypto.createHash("sha256").update(bytes).digest("hex")
