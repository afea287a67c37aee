import { boundedText, splitsPair } from "@gatehouse/core/BoundedText"
import { canonicalJson, fingerprint, keyedFingerprint } from "@gatehouse/core/Fingerprint"
import { Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

describe("boundedText", () => {
  it("keeps what fits, and cuts the rest with its mark inside the limit", () => {
    assert.strictEqual(boundedText("four", 4), "four")
    assert.strictEqual(boundedText("fiver", 4), "fiv…")
    assert.strictEqual(boundedText("abc", 0), "")
  })

  it("never exceeds the limit and never halves a pair", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (text, limit) => {
        fc.pre(text.isWellFormed())
        const cut = boundedText(text, limit)
        assert.isAtMost(cut.length, limit)
        assert.isTrue(cut.isWellFormed())
      })
    )
    assert.isTrue(splitsPair("😀", 1))
  })
})

describe("fingerprints", () => {
  it("do not depend on the order of fields, and do on everything else", () => {
    assert.strictEqual(canonicalJson({ b: [1, { d: null, c: "x" }], a: true }), '{"a":true,"b":[1,{"c":"x","d":null}]}')
    assert.strictEqual(fingerprint({ a: 1, b: 2 }), fingerprint({ b: 2, a: 1 }))
    assert.notStrictEqual(fingerprint({ a: 1 }), fingerprint({ a: "1" }))
    assert.notStrictEqual(fingerprint([1, 2]), fingerprint([2, 1]))
  })

  it("differ with their key", () => {
    const one = keyedFingerprint(new Uint8Array([1]), "secret")
    assert.notStrictEqual(one, keyedFingerprint(new Uint8Array([2]), "secret"))
    assert.strictEqual(one, keyedFingerprint(new Uint8Array([1]), "secret"))
  })
})

describe("identifiers", () => {
  it("carry their prefix and 128 bits", () => {
    const counter = { bytes: (count: number) => new Uint8Array(count).fill(7) }
    assert.strictEqual(makeIdentifier("call", counter), `call_${"07".repeat(16)}`)
    const entropy = Effect.runSync(Entropy)
    assert.match(makeIdentifier("turn", entropy), /^turn_[0-9a-f]{32}$/)
    assert.notStrictEqual(makeIdentifier("turn", entropy), makeIdentifier("turn", entropy))
  })
})
