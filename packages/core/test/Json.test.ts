import { argumentBounds, freezeJson } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const refusal = (value: unknown, bounds = argumentBounds) => {
  const frozen = freezeJson(value, bounds)
  return Either.isLeft(frozen) ? frozen.left : null
}
const deeplyFrozen = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(deeplyFrozen))

describe("freezeJson", () => {
  it("copies and freezes any JSON value, and shares nothing with it", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        fc.pre(!JSON.stringify(value).includes('"__proto__"'))
        const frozen = Either.getOrThrow(freezeJson(value))
        assert.deepStrictEqual(JSON.parse(JSON.stringify(frozen)), JSON.parse(JSON.stringify(value)))
        assert.isTrue(deeplyFrozen(frozen))
        if (typeof value === "object" && value !== null) assert.isFalse(Object.is(frozen, value))
      })
    )
  })

  it("does not see what the caller changes afterwards", () => {
    const args = { list: [1, 2] }
    const frozen = Either.getOrThrow(freezeJson(args))
    args.list.push(3)
    assert.deepStrictEqual(frozen, { list: [1, 2] })
  })

  const cyclic: Record<string, unknown> = {}
  cyclic["self"] = { again: cyclic }
  const accessor = Object.defineProperty({}, "token", { enumerable: true, get: () => "read" })
  const hostile = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("the trap's own words")
      }
    }
  )
  const cases: ReadonlyArray<[string, unknown, string, RegExp]> = [
    ["a date", { when: new Date(0) }, "when", /Date/],
    ["a function", { run: () => 1 }, "run", /function/],
    ["a big integer", { n: 1n }, "n", /bigint/],
    ["not a number", [Number.NaN], "0", /NaN/],
    ["infinity", [1, Number.POSITIVE_INFINITY], "1", /Infinity/],
    ["a symbol for a name", { [Symbol("s")]: 1 }, "Symbol(s)", /symbol/],
    ["an accessor", accessor, "token", /accessor/],
    ["a cycle", cyclic, "self.again", /itself/],
    ["a prototype by its name", JSON.parse('{"a":{"__proto__":{"polluted":true}}}'), "a.__proto__", /prototype/],
    ["a hole in an array", Object.assign([1], { 2: 3 }), "1", /element/],
    ["a map", { m: new Map() }, "m", /Map/],
    ["a proxy whose trap throws", hostile, "", /^cannot be read$/]
  ]
  for (const [name, value, path, reason] of cases) {
    it(`refuses ${name} and says where`, () => {
      const refused = refusal(value)
      assert.strictEqual(refused?.path, path)
      assert.match(refused?.reason ?? "", reason)
    })
  }

  it("holds its bounds of depth, size and count", () => {
    const bounds = { depth: 3, size: 10, count: 5 }
    assert.isNull(refusal({ a: { b: { c: 1 } } }, bounds))
    assert.match(refusal({ a: { b: { c: [] } } }, bounds)?.reason ?? "", /deeper than 3/)
    assert.isNull(refusal("0123456789", bounds))
    assert.match(refusal("0123456789a", bounds)?.reason ?? "", /larger than 10/)
    assert.isNull(refusal([1, 2, 3, 4], bounds))
    assert.match(refusal([1, 2, 3, 4, 5], bounds)?.reason ?? "", /more than 5/)
  })

  it("answers a value nested 10,000 levels deep without overflowing", () => {
    let deep: unknown = 0
    for (let level = 0; level < 10_000; level++) deep = [deep]
    assert.match(refusal(deep)?.reason ?? "", /nested deeper/)
  })

  it("leaves out what is undefined, as JSON does", () => {
    assert.deepStrictEqual(Either.getOrThrow(freezeJson({ a: undefined, b: 1 })), { b: 1 })
  })
})
