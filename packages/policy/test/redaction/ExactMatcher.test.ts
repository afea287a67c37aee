import { assert, describe, it } from "@effect/vitest"
import { ExactMatcher, shortestPattern, united } from "@gatehouse/policy/redaction/exact/ExactMatcher"
import { makeStreamMask } from "@gatehouse/policy/redaction/exact/StreamMask"
import * as fc from "fast-check"

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1")
const mark = bytes("#")

/** Every byte of every occurrence, by looking at every place: the reference. */
const naiveMask = (text: string, secrets: ReadonlyArray<string>): string => {
  const covered = new Set<number>()
  for (const secret of secrets) {
    for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
      for (let index = at; index < at + secret.length; index++) covered.add(index)
    }
  }
  let masked = ""
  for (let at = 0; at < text.length; at++) {
    if (!covered.has(at)) masked += text.charAt(at)
    else if (!covered.has(at - 1)) masked += "#"
  }
  return masked
}

const cutInto = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((left, right) => left - right)
  return [...places, text.length].map((end, index) => text.slice(index === 0 ? 0 : places[index - 1], end))
}

const streamed = (chunks: ReadonlyArray<string>, secrets: ReadonlyArray<string>): string => {
  const mask = makeStreamMask(new ExactMatcher(secrets.map(bytes)), mark)
  return Buffer.concat([...chunks.map((chunk) => mask.push(bytes(chunk))), mask.end()]).toString("latin1")
}

/** A text over few letters, and secrets that are parts of it, of each other, or of nothing. */
const question = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 0, maxLength: 80 }).chain((text) =>
  fc.record({
    text: fc.constant(text),
    secrets: fc.array(
      fc.oneof(
        fc
          .tuple(fc.nat(80), fc.integer({ min: shortestPattern, max: 20 }))
          .map(([at, length]) => text.slice(at, at + length)),
        fc.string({ unit: fc.constantFrom("a", "b"), minLength: shortestPattern, maxLength: 12 })
      ),
      { maxLength: 6 }
    ),
    cuts: fc.array(fc.nat(80), { maxLength: 12 })
  })
)

describe("the exact matcher", () => {
  it("finds whatever a search place by place finds", () => {
    fc.assert(
      fc.property(question, ({ text, secrets }) => {
        const known = secrets.filter((secret) => secret.length >= shortestPattern)
        const found: Array<{ readonly start: number; readonly end: number }> = []
        new ExactMatcher(known.map(bytes)).find(bytes(text), (start, end) => {
          assert.include(known, text.slice(start, end))
          found.push({ start, end })
        })
        let masked = ""
        let at = 0
        for (const { start, end } of united(found)) {
          masked += `${text.slice(at, start)}#`
          at = end
        }
        assert.strictEqual(masked + text.slice(at), naiveMask(text, known))
      }),
      { numRuns: 2_000 }
    )
  })

  it("finds a pattern wherever the bytes begin in memory", () => {
    const pattern = "secret-77"
    for (let offset = 0; offset < 8; offset++) {
      const whole = Buffer.from(`${"x".repeat(offset)}${"-".repeat(offset)}${pattern}tail`, "latin1")
      assert.isTrue(new ExactMatcher([bytes(pattern)]).occurs(whole.subarray(offset)))
    }
  })

  it("leaves out patterns that its steps could miss", () => {
    assert.isTrue(new ExactMatcher([bytes("short"), bytes("")]).isEmpty)
  })

  it("unites what overlaps or touches", () => {
    assert.deepStrictEqual(
      united([
        { start: 5, end: 9 },
        { start: 0, end: 3 },
        { start: 2, end: 5 },
        { start: 12, end: 13 }
      ]),
      [
        { start: 0, end: 9 },
        { start: 12, end: 13 }
      ]
    )
  })
})

describe("the stream mask", () => {
  it("gives the same answer for any cut, and no rest of any secret", () => {
    fc.assert(
      fc.property(question, ({ text, secrets, cuts }) => {
        const known = secrets.filter((secret) => secret.length >= shortestPattern)
        assert.strictEqual(streamed(cutInto(text, cuts), known), naiveMask(text, known))
      }),
      { numRuns: 3_000 }
    )
  })

  it("waits where a short secret begins a longer one", () => {
    assert.strictEqual(streamed(["key-1234", "567890 tail"], ["key-1234", "key-1234567890"]), "# tail")
    assert.strictEqual(streamed(["key-1234", "x tail"], ["key-1234", "key-1234567890"]), "#x tail")
  })

  it("passes on at once what cannot become a secret", () => {
    const mask = makeStreamMask(new ExactMatcher([bytes("secret-77")]), mark)
    assert.strictEqual(Buffer.from(mask.push(bytes("plain text "))).toString(), "plain text ")
    assert.strictEqual(Buffer.from(mask.push(bytes("and sec"))).toString(), "and ")
    assert.strictEqual(Buffer.from(mask.end()).toString(), "sec")
  })

  it("does not change the chunks it is given, nor hand them out again", () => {
    const chunk = bytes("hello secret-77 ")
    const before = Buffer.from(chunk)
    const out = makeStreamMask(new ExactMatcher([bytes("secret-77")]), mark).push(chunk)
    out.fill(0)
    assert.deepStrictEqual(Buffer.from(chunk), before)
  })
})
