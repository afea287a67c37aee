import { assert, describe, it } from "@effect/vitest"
import { makeArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import { isTamePattern } from "@gatehouse/adapters/arguments/TamePattern"
import type { Json, JsonObject } from "@gatehouse/core/Json"
import * as FastCheck from "fast-check"

const { validate } = makeArgumentSchemas()
const fault = (schema: JsonObject, args: Json): string => {
  const found = validate(schema, args)
  return found === null ? "fits" : `${found.path}: ${found.message}`
}

const schema: JsonObject = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 2, format: "email" },
    mode: { enum: ["fast", "slow"] },
    at: { type: "array", items: { type: "object", properties: { x: { type: "integer", maximum: 9 } } } }
  },
  required: ["name"],
  additionalProperties: false
}

describe("arguments", () => {
  it("are checked with a path and a remedy", () => {
    assert.strictEqual(fault(schema, { name: "a@b.example" }), "fits")
    assert.strictEqual(fault(schema, {}), "name: is missing; give it a value")
    assert.strictEqual(
      fault(schema, { name: "a@b.example", extra: 1 }),
      "extra: is no argument of this tool; leave it out"
    )
    assert.strictEqual(fault(schema, { name: "a@b.example", mode: "x" }), `mode: must be one of "fast", "slow"`)
    assert.strictEqual(fault(schema, { name: "no mail" }), `name: must match format "email"`)
    assert.strictEqual(fault(schema, { name: "a@b.example", at: [{ x: 1 }, { x: 10 }] }), "at.1.x: must be <= 9")
    assert.strictEqual(fault(schema, []), ": must be object")
    assert.strictEqual(fault({}, { anything: 1 }), "fits")
  })

  it("are checked by the dialect that the schema names", () => {
    const tuple = (dialect: string): JsonObject => ({
      $schema: dialect,
      type: "object",
      properties: { t: { type: "array", items: [{ type: "string" }], additionalItems: false } }
    })
    assert.strictEqual(fault(tuple("http://json-schema.org/draft-07/schema#"), { t: ["a"] }), "fits")
    assert.include(fault(tuple("http://json-schema.org/draft-07/schema#"), { t: ["a", "b"] }), "t: must NOT have more")
    const prefix: JsonObject = { properties: { t: { prefixItems: [{ type: "string" }], items: false } } }
    assert.include(fault(prefix, { t: ["a", 1] }), "t")
    assert.strictEqual(
      fault({ $schema: "https://example.com/unknown", properties: { a: { type: "string" } } }, { a: "x" }),
      "fits"
    )
  })

  it("may be described by schemas that recur, share an $id, or use words that nobody knows", () => {
    const tree: JsonObject = { type: "object", properties: { child: { $ref: "#" }, n: { type: "number" } } }
    assert.strictEqual(fault(tree, { child: { child: { n: 1 } } }), "fits")
    assert.strictEqual(fault(tree, { child: { child: { n: "1" } } }), "child.child.n: must be number")
    assert.strictEqual(fault({ $id: "https://a.example/x", properties: { a: { type: "string" } } }, { a: "x" }), "fits")
    assert.strictEqual(
      fault({ $id: "https://a.example/x", properties: { a: { type: "number" } } }, { a: "x" }),
      "a: must be number"
    )
    assert.strictEqual(
      fault({ properties: { a: { type: "string", "x-hint": 1, format: "made-up" } } }, { a: "x" }),
      "fits"
    )
  })

  it("cannot be checked against a schema that is broken, elsewhere, too deep or too large", () => {
    assert.include(fault({ type: "no such type" }, {}), "no usable JSON Schema")
    assert.include(fault({ $ref: "https://example.com/schema.json" }, {}), "no usable JSON Schema")
    let deep: JsonObject = { type: "string" }
    for (let level = 0; level < 100; level++) deep = { properties: { a: deep } }
    assert.include(fault(deep, {}), "has to simplify it")
    assert.include(fault({ description: "x".repeat(600_000) }, {}), "has to simplify it")
  })

  it("never come back in a message", () => {
    const value = FastCheck.string({
      minLength: 6,
      maxLength: 20,
      unit: FastCheck.constantFrom("q", "z", "7", "9", "!")
    })
    const strict: JsonObject = {
      properties: {
        a: { type: "number" },
        b: { enum: [1] },
        c: { pattern: "^x$" },
        d: { const: "x" },
        e: { format: "uuid" },
        f: { maxLength: 1 },
        g: { anyOf: [{ type: "number" }, { const: "x" }] },
        h: { not: {} }
      }
    }
    FastCheck.assert(
      FastCheck.property(value, FastCheck.constantFrom("a", "b", "c", "d", "e", "f", "g", "h"), (secret, name) => {
        const message = fault(strict, { [name]: secret })
        assert.notStrictEqual(message, "fits")
        assert.notInclude(message, secret)
      })
    )
  })

  it("are checked fast, also by expressions that would never come back", () => {
    const evil: JsonObject = { properties: { a: { pattern: "^(a+)+$" }, b: { pattern: "^[a-z]+$" } } }
    const started = performance.now()
    assert.strictEqual(fault(evil, { a: `${"a".repeat(60)}!` }), "fits")
    assert.include(fault(evil, { b: "A" }), "b: must have the form")
    assert.isBelow(performance.now() - started, 1000)
  })
})

describe("tame expressions", () => {
  it.each(["^[a-z]+$", "^\\d{4}-\\d{2}-\\d{2}$", "^(?:a|b)$", "^https?://", "a{2,5}b", "^[^/]+/[^/]+$", "(ab)?c+"])(
    "%s is",
    (source) => assert.isTrue(isTamePattern(source))
  )
  it.each([
    "(a+)+",
    "(a|a)*",
    "(a*)*b",
    "(?=a)",
    "(a)\\1",
    "((a+)b?)+",
    "(.*a){12}",
    "a*b*c*d*e*",
    "(a{2,})+",
    "x".repeat(501)
  ])("%s is not", (source) => assert.isFalse(isTamePattern(source)))
})
