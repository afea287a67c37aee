/** Schemas and tools of servers, one by one. */

import { assert, describe, it } from "@effect/vitest"
import { makeArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import { judgeSchema } from "@gatehouse/adapters/mcp/listing/JudgeSchema"
import { judgeTool } from "@gatehouse/adapters/mcp/listing/JudgeTool"
import { freezeJson } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import * as fc from "fast-check"

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, ...more })

/** Keywords of all dialects, and some that others invented. */
const keywords = [
  "properties required items $ref allOf pattern minimum enum $defs additionalProperties prefixItems const format",
  "contains if then not unevaluatedProperties $anchor $id $comment definitions dependencies dependentRequired",
  "dependentSchemas patternProperties multipleOf uniqueItems minContains maxLength contentSchema discriminator",
  "nullable propertyNames oneOf default title $vocabulary $recursiveAnchor $dynamicAnchor id readOnly examples",
  "additionalItems"
]
  .join(" ")
  .split(" ")

describe("judgeSchema", () => {
  for (const [about, schema] of [
    ["nothing but a type", { type: "object" }],
    ["draft-07", object({}, { $schema: "http://json-schema.org/draft-07/schema#" })],
    ["2020-12", object({}, { $schema: "https://json-schema.org/draft/2020-12/schema" })],
    [
      "two references to one definition",
      object({ a: { $ref: "#/$defs/x" }, b: { $ref: "#/$defs/x" } }, { $defs: { x: { type: "string" } } })
    ],
    [
      "a tree",
      object(
        { root: { $ref: "#/$defs/n" } },
        { $defs: { n: object({ children: { type: "array", items: { $ref: "#/$defs/n" } } }) } }
      )
    ],
    ["a reference to the whole", object({ inner: { $ref: "#" } })],
    ["an anchor", object({ a: { $ref: "#x" } }, { $defs: { x: { $anchor: "x", type: "string" } } })],
    ["an escaped pointer", object({ a: { $ref: "#/$defs/a~1b%20c" } }, { $defs: { "a/b c": {} } })],
    ["a property named $ref", object({ $ref: { type: "string" } })],
    ["a property named like a prototype's", object({ constructor: { type: "string" } })],
    ["true as a subschema", object({ a: true })],
    ["several types", object({ a: { type: ["string", "null"] } })],
    ["patterns of hosts", object({ a: { type: "string", pattern: "^(?:[a-z0-9-]+\\.)+[a-z]{2,}$" } })],
    ["unknown keywords", object({ a: { "x-order": 3, format: "slug" } })]
  ] as const) {
    it(`takes ${about}`, () => {
      assert.isTrue(Either.isRight(judgeSchema(schema)), JSON.stringify(judgeSchema(schema)))
    })
  }
  for (const [about, schema, reason] of [
    ["none", undefined, "missing"],
    ["null", null, "null"],
    ["a list", [], "list"],
    ["a number type", { type: "number" }, "type number"],
    ["an unknown type", object({ a: { type: "objekt" } }), "type"],
    ["a pattern that is none", object({ a: { pattern: "([a-z" } }), "no regular expression"],
    ["a pattern of no end", object({ a: { pattern: "^(a+)+$" } }), "for ever"],
    ["a pattern name of no end", { type: "object", patternProperties: { "([a-z]*)*": {} } }, "for ever"],
    ["bounds that cross", object({ a: { minimum: 5, maximum: 1 } }), "minimum"],
    ["draft-04 bounds", object({ a: { exclusiveMinimum: true } }), "exclusiveMinimum"],
    ["draft-03 required", object({ a: { required: true } }), "required"],
    ["a far reference", object({ a: { $ref: "https://example.invalid/x.json" } }), "outside"],
    ["a reference to a file", object({ a: { $ref: "other.json#/x" } }), "outside"],
    ["a reference to nothing", object({ a: { $ref: "#/$defs/x" } }), "nowhere"],
    ["a reference into a prototype", object({ a: { $ref: "#/constructor" } }), "nowhere"],
    [
      "a circle of two",
      object({ a: { $ref: "#/$defs/x" } }, { $defs: { x: { $ref: "#/$defs/y" }, y: { $ref: "#/$defs/x" } } }),
      "itself"
    ],
    ["a bad definition", object({}, { $defs: { x: 7 } }), "not a schema"]
  ] as const) {
    it(`refuses ${about}`, () => {
      const judged = judgeSchema(schema)
      assert.isTrue(Either.isLeft(judged))
      if (Either.isLeft(judged)) assert.include(judged.left, reason)
    })
  }

  it("refuses what doubles thirty times, fast", () => {
    const $defs: Record<string, object> = { d0: { type: "string" } }
    for (let index = 1; index <= 30; index++)
      $defs[`d${index}`] = object({ l: { $ref: `#/$defs/d${index - 1}` }, r: { $ref: `#/$defs/d${index - 1}` } })
    const began = performance.now()
    assert.isTrue(Either.isLeft(judgeSchema(object({ a: { $ref: "#/$defs/d30" } }, { $defs }))))
    assert.isBelow(performance.now() - began, 2_000)
  })

  it("never throws, and what it takes can be checked with", () => {
    const schemas = makeArgumentSchemas()
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keywords), fc.jsonValue({ maxDepth: 3 })), (fields) => {
        const judged = judgeSchema({ ...fields, type: "object" })
        if (Either.isLeft(judged)) return
        const fault = schemas.validate(judged.right, Either.getOrThrow(freezeJson({})))
        if (fault !== null) assert.notInclude(fault.message, "no usable JSON Schema")
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("judgeTool", () => {
  const inputSchema = { type: "object" }
  for (const [about, entry] of [
    ["a number", 7],
    ["null", null],
    ["no name", { inputSchema }],
    ["a name that is a number", { name: 42, inputSchema }],
    ["an empty name", { name: "", inputSchema }],
    ["a blank name", { name: " \t", inputSchema }],
    ["a name with a line break", { name: "a\nb", inputSchema }],
    ["a name with a hidden direction", { name: "a\u202Eb", inputSchema }],
    ["a name with a lone surrogate", { name: "a\uD800b", inputSchema }],
    ["a name without end", { name: "a".repeat(2_000), inputSchema }],
    ["a description that is none", { name: "a", description: 7, inputSchema }],
    ["a task only", { name: "a", inputSchema, execution: { taskSupport: "required" } }],
    ["an output schema that is none", { name: "a", inputSchema, outputSchema: { type: "objekt" } }]
  ] as const) {
    it(`refuses ${about}`, () => {
      assert.isTrue(Either.isLeft(judgeTool(entry)))
    })
  }
  it("keeps claims as claims, bounds texts, and takes what acts on a terminal out of them", () => {
    const judged = Either.getOrThrow(
      judgeTool({
        name: "a",
        description: `red \u001B[31m\u202E${"x".repeat(20_000)}`,
        inputSchema,
        execution: { taskSupport: "optional" },
        annotations: { readOnlyHint: true, destructiveHint: "no", title: "A tool", evil: 1 }
      })
    )
    assert.deepStrictEqual(judged.tool.claims, { readOnlyHint: true, title: "A tool" })
    assert.isAtMost(judged.tool.description.length, 8_192)
    assert.notMatch(judged.tool.description, /[\u001B\u202E]/)
    assert.strictEqual(judged.notes.length, 1)
  })
})
