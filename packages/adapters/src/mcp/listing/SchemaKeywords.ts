/** The keywords of JSON Schema (2020-12 validation and applicator vocabularies, draft-07): what they may hold. Pure. */
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"

const one = [
  "additionalProperties",
  "propertyNames",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "additionalItems",
  "not",
  "if",
  "then",
  "else",
  "contentSchema"
] as const
const lists = ["allOf", "anyOf", "oneOf", "prefixItems"] as const
const maps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"] as const

/** The subschemas of `schema`, each with its place. */
export const placesOf = (schema: JsonObject): ReadonlyArray<{ readonly at: string; readonly schema: Json }> => {
  const places: Array<{ readonly at: string; readonly schema: Json }> = []
  for (const keyword of one) {
    const inner = schema[keyword]
    if (inner !== undefined) places.push({ at: keyword, schema: inner })
  }
  const items = schema["items"]
  if (Array.isArray(items)) items.forEach((inner, index) => places.push({ at: `items.${index}`, schema: inner }))
  else if (items !== undefined) places.push({ at: "items", schema: items as Json })
  for (const keyword of lists) {
    const inner = schema[keyword]
    if (Array.isArray(inner)) inner.forEach((each, index) => places.push({ at: `${keyword}.${index}`, schema: each }))
  }
  for (const keyword of maps) {
    const inner = schema[keyword]
    if (inner !== undefined && isJsonObject(inner)) {
      for (const [name, each] of Object.entries(inner)) places.push({ at: `${keyword}.${name}`, schema: each })
    }
  }
  const dependencies = schema["dependencies"]
  if (dependencies !== undefined && isJsonObject(dependencies)) {
    for (const [name, each] of Object.entries(dependencies)) {
      if (!Array.isArray(each)) places.push({ at: `dependencies.${name}`, schema: each })
    }
  }
  return places
}

/** What the first keyword with a wrong value has, or null. `isElder`: the dialect is draft-07 or older. */
export const keywordFault = (schema: JsonObject, isElder = false): string | null => {
  if (Array.isArray(schema["items"]) && (!isElder || schema["items"].length === 0)) {
    return "has a list as items, which this dialect does not know; it is prefixItems now"
  }
  for (const [keyword, rule] of rules) {
    const value = schema[keyword]
    if (value === undefined) continue
    const fault = rule(value)
    if (fault !== null) return `has a ${keyword} ${fault}`
  }
  if (schema["nullable"] !== undefined && schema["type"] === undefined) return "has nullable without a type"
  for (const [low, high] of bounds) {
    const [from, to] = [schema[low], schema[high]]
    if (typeof from === "number" && typeof to === "number" && from > to)
      return `allows nothing: ${low} is above ${high}`
  }
  return null
}

type Rule = (value: Json) => string | null

const types: ReadonlySet<Json> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"])

const rule =
  (holds: (value: Json) => boolean, fault: string): Rule =>
  (value) =>
    holds(value) ? null : fault

const isCount = (value: Json): boolean => Number.isInteger(value) && Number(value) >= 0
const isText = (value: Json): boolean => typeof value === "string"
const isFlag = (value: Json): boolean => typeof value === "boolean"
const isDependencies = (value: Json): boolean =>
  isJsonObject(value) && Object.values(value).every((each) => isTexts(each) || isJsonObject(each) || isFlag(each))
const isTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText)

const isPattern = (source: string): boolean => {
  for (const flags of ["u", ""]) if (compiles(source, flags)) return true
  return false
}

const compiles = (source: string, flags: string): boolean => {
  try {
    new RegExp(source, flags)
    return true
  } catch {
    return false
  }
}

const patternFault = (source: Json): string | null => {
  if (typeof source !== "string") return "that is no text"
  if (!isPattern(source)) return "that is no regular expression"
  return repeatedRepetition.test(source) ? "that takes for ever to match" : null
}

/**
 * A repeated group that holds one repeated thing and nothing beside it, as in `(a+)+`: every length splits in more ways
 * than anybody can wait for. Other doubtful patterns are no reason to lose a tool: arguments are not matched with them.
 */
const repeatedRepetition = /\((?:\?:)?(?:\\.|\[(?:[^\]\\]|\\.)*\]|[^\\()[\]])[+*]\)(?:[+*]|\{\d+,\d*\})/

const number = rule((value) => typeof value === "number", "that is no number")
const count = rule(isCount, "that is no count")
const map = rule((value) => isJsonObject(value), "that is no object")
const list = rule((value) => Array.isArray(value) && value.length > 0, "that is no list of schemas")

const rules: ReadonlyArray<readonly [string, Rule]> = [
  [
    "type",
    rule(
      (value) => (Array.isArray(value) ? value.length > 0 && value.every((each) => types.has(each)) : types.has(value)),
      "that JSON Schema does not know"
    )
  ],
  ["enum", rule((value) => Array.isArray(value) && value.length > 0, "that allows nothing")],
  ["required", rule(isTexts, "that is no list of names")],
  ["pattern", patternFault],
  [
    "patternProperties",
    (value) =>
      isJsonObject(value)
        ? Object.keys(value).reduce<string | null>((fault, source) => fault ?? patternFault(source), null)
        : "that is no object"
  ],
  ["properties", map],
  ["$defs", map],
  ["definitions", map],
  ["dependentSchemas", map],
  [
    "dependentRequired",
    rule((value) => isJsonObject(value) && Object.values(value).every(isTexts), "that holds no lists of names")
  ],
  ["allOf", list],
  ["anyOf", list],
  ["oneOf", list],
  ["prefixItems", list],
  ["minimum", number],
  ["maximum", number],
  ["exclusiveMinimum", number],
  ["exclusiveMaximum", number],
  ["multipleOf", rule((value) => typeof value === "number" && value > 0, "that is no positive number")],
  ["minLength", count],
  ["maxLength", count],
  ["minItems", count],
  ["maxItems", count],
  ["minProperties", count],
  ["maxProperties", count],
  ["minContains", count],
  ["maxContains", count],
  ["uniqueItems", rule(isFlag, "that is neither true nor false")],
  ["$ref", rule(isText, "that is no text")],
  ["$id", rule(isText, "that is no text")],
  ["$anchor", rule(isText, "that is no text")],
  ["format", rule(isText, "that is no text")],
  ["$dynamicAnchor", rule(isText, "that is no text")],
  ["$recursiveAnchor", rule(isFlag, "that is neither true nor false")],
  ["dependencies", rule(isDependencies, "that holds neither lists of names nor schemas")],
  ["nullable", rule(isFlag, "that is neither true nor false")],
  ["id", () => "as draft-04 had it; it is $id now"],
  ["$dynamicRef", () => "which is not followed"],
  ["$recursiveRef", () => "which is not followed"]
]

const bounds = [
  ["minimum", "maximum"],
  ["minLength", "maxLength"],
  ["minItems", "maxItems"],
  ["minProperties", "maxProperties"],
  ["minContains", "maxContains"]
] as const
