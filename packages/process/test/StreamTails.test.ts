import { assert, describe, it } from "@effect/vitest"
import { CodePointCounter } from "@gatehouse/process/output/CodePointCounter"
import { StreamTails, tailCharacters, truncationMark } from "@gatehouse/process/output/StreamTails"
import * as FastCheck from "fast-check"

/** Bytes that are UTF-8 in part: characters of each length, broken ones, single bytes. */
const messyBytes = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constantFrom("a", "é", "€", "日", "😀", "\u{feff}", "\r\n").map((text) => Buffer.from(text)),
    FastCheck.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
    FastCheck.constantFrom("e282", "f09f98", "eda080", "f4908080", "c080", "f8", "e0a0").map((hex) =>
      Buffer.from(hex, "hex")
    )
  ),
  { maxLength: 60 }
).map((parts) => Buffer.concat(parts))

const cuts = FastCheck.array(FastCheck.integer({ min: 1, max: 9 }), { maxLength: 80 })

const chunked = (bytes: Buffer, sizes: ReadonlyArray<number>): ReadonlyArray<Buffer> => {
  const chunks: Array<Buffer> = []
  let at = 0
  for (const size of sizes) {
    if (at >= bytes.length) break
    chunks.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...chunks, bytes.subarray(at)]
}

const decoded = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)

describe("counting code points", () => {
  it("agrees with a decoder, whatever the bytes and wherever they are cut", () => {
    FastCheck.assert(
      FastCheck.property(messyBytes, cuts, (bytes, sizes) => {
        const counter = new CodePointCounter()
        for (const chunk of chunked(bytes, sizes)) counter.push(chunk)
        assert.strictEqual(counter.count, [...decoded(bytes)].length)
      }),
      { numRuns: 2000 }
    )
  })

  it("agrees for long text at every alignment", () => {
    const long = Buffer.from("ab日本語é😀".repeat(700))
    for (let offset = 0; offset < 8; offset++) {
      const shifted = Buffer.concat([Buffer.alloc(offset, "x"), long]).subarray(offset)
      const counter = new CodePointCounter()
      counter.push(shifted)
      assert.strictEqual(counter.count, [...long.toString()].length)
    }
  })
})

describe("the tail of a stream", () => {
  it("is the whole text below the limit, and its end with a mark above it, for any cut", () => {
    const limit = 40
    FastCheck.assert(
      FastCheck.property(messyBytes, cuts, (bytes, sizes) => {
        const tails = new StreamTails(limit)
        for (const chunk of chunked(bytes, sizes)) tails.push(chunk)
        const { chars, text, truncated, bytes: total } = tails.tail()
        const whole = [...decoded(bytes)]
        assert.strictEqual(total, bytes.length)
        assert.strictEqual(chars, whole.length)
        assert.strictEqual(truncated, whole.length > limit)
        assert.isTrue(text.isWellFormed())
        if (truncated) {
          assert.strictEqual([...text].length, limit)
          assert.strictEqual(text, truncationMark + whole.slice(truncationMark.length - limit).join(""))
        } else assert.strictEqual(text, whole.join(""))
      }),
      { numRuns: 2000 }
    )
  })

  it("keeps 12,000 characters of the widest kind", () => {
    const tails = new StreamTails()
    for (let count = 0; count < 13; count++) tails.push(Buffer.from("😀".repeat(1000)))
    const tail = tails.tail()
    assert.strictEqual(tail.chars, 13_000)
    assert.strictEqual([...tail.text].length, tailCharacters)
    assert.isFalse(tail.text.includes("\u{fffd}"))
  })

  it("is not truncated at exactly the limit, and is one character above it", () => {
    for (const [length, truncated] of [
      [tailCharacters, false],
      [tailCharacters + 1, true]
    ] as const) {
      const tails = new StreamTails()
      tails.push(Buffer.alloc(length, "y"))
      assert.strictEqual(tails.tail().truncated, truncated)
      assert.strictEqual(tails.tail().text.length, tailCharacters)
    }
  })

  it("can be asked while the stream is within a character", () => {
    const tails = new StreamTails()
    const bytes = Buffer.from("a€")
    tails.push(bytes.subarray(0, 2))
    assert.strictEqual(tails.tail().text, "a\u{fffd}")
    tails.push(bytes.subarray(2))
    assert.deepInclude(tails.tail(), { text: "a€", chars: 2, bytes: 4 })
  })
})
