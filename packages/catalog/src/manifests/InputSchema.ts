/**
 * Whether a JSON Schema can describe the arguments of a tool: an object, of keywords whose values have the shape that
 * they need, complete in itself. It is judged by shape and not compiled: compiling costs milliseconds and belongs to
 * the first call. Keywords as in JSON Schema 2020-12 (core, applicators, validation) and draft-07.
 */
import * as Option from "effect/Option"
import { compiled } from "./Pattern.ts"
import type { Judgement } from "./SchemaHints.ts"

/** Problems of one schema that are told. */
const problemLimit = 20

/** What is wrong with `schema` as the schema of arguments; empty where it will do. */
export const inputSchemaProblems = (schema: Readonly<Record<string, unknown>>): ReadonlyArray<Judgement> => {
  const problems: Array<Judgement> = []
  const tell = (path: ReadonlyArray<string>, message: string): void => {
    if (problems.length < problemLimit) problems.push({ path, message })
  }
  const walk = (value: unknown, path: ReadonlyArray<string>): void => {
    if (typeof value === "boolean") return
    if (!isObject(value)) return tell(path, "must be a schema: a block of keywords, `true` or `false`")
    for (const [keyword, part] of Object.entries(value)) {
      const at = [...path, keyword]
      const shape = shapes.get(keyword)
      if (keyword === "$ref" || keyword === "$dynamicRef") {
        const message = referenceProblem(part, schema)
        if (message !== null) tell(at, message)
      } else if (shape === "schema") walk(part, at)
      else if (shape === "schemas") each(part, at)
      else if (shape === "named schemas") eachNamed(part, at)
      else if (shape === "schema or schemas") (Array.isArray(part) ? each : walk)(part, at)
      else if (shape !== undefined && !shape.allows(part)) tell(at, `must be ${shape.expected}`)
      if (keyword === "patternProperties" && isObject(part)) {
        for (const name of Object.keys(part))
          if (!isPattern(name)) tell([...at, name], "must be named by a regular expression")
      }
    }
  }
  const each = (value: unknown, path: ReadonlyArray<string>): void => {
    if (!Array.isArray(value) || value.length === 0) return tell(path, "must be a list of schemas, at least one")
    value.forEach((part, index) => walk(part, [...path, String(index)]))
  }
  const eachNamed = (value: unknown, path: ReadonlyArray<string>): void => {
    if (!isObject(value)) return tell(path, "must be a block of names with a schema each")
    for (const [name, part] of Object.entries(value)) walk(part, [...path, name])
  }

  if (schema["type"] !== undefined && schema["type"] !== "object") {
    tell(["type"], "must be `object`: arguments are always an object; leave it out or say `object`")
  }
  walk(schema, [])
  return problems
}

interface ValueShape {
  readonly expected: string
  readonly allows: (value: unknown) => boolean
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isText = (value: unknown): value is string => typeof value === "string"
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isPattern = (value: unknown): boolean => isText(value) && Option.isSome(compiled(value))
const isFinite = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const typeNames = ["null", "boolean", "object", "array", "number", "string", "integer"]
const isType = (value: unknown): boolean =>
  (isText(value) && typeNames.includes(value)) ||
  (Array.isArray(value) && value.length > 0 && value.every((name) => isText(name) && typeNames.includes(name)))

const text: ValueShape = { expected: "a text", allows: isText }
const texts: ValueShape = { expected: "a list of texts", allows: isTexts }
const number: ValueShape = { expected: "a number", allows: isFinite }
const count: ValueShape = {
  expected: "a whole number, 0 or more",
  allows: (value) => isFinite(value) && Number.isInteger(value) && value >= 0
}
const flag: ValueShape = { expected: "`true` or `false`", allows: (value) => typeof value === "boolean" }

const shapes: ReadonlyMap<string, ValueShape | "schema" | "schemas" | "named schemas" | "schema or schemas"> = new Map(
  Object.entries({
    type: { expected: `one of ${typeNames.join(", ")}, or a list of them`, allows: isType },
    properties: "named schemas",
    patternProperties: "named schemas",
    dependentSchemas: "named schemas",
    $defs: "named schemas",
    definitions: "named schemas",
    additionalProperties: "schema",
    unevaluatedProperties: "schema",
    propertyNames: "schema",
    unevaluatedItems: "schema",
    additionalItems: "schema",
    contains: "schema",
    not: "schema",
    if: "schema",
    then: "schema",
    else: "schema",
    items: "schema or schemas",
    prefixItems: "schemas",
    allOf: "schemas",
    anyOf: "schemas",
    oneOf: "schemas",
    required: texts,
    enum: { expected: "a list", allows: Array.isArray },
    pattern: { expected: "a regular expression", allows: isPattern },
    format: text,
    title: text,
    description: text,
    $comment: text,
    $id: text,
    $schema: text,
    $anchor: text,
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: { expected: "a number above 0", allows: (value) => isFinite(value) && value > 0 },
    minLength: count,
    maxLength: count,
    minItems: count,
    maxItems: count,
    minContains: count,
    maxContains: count,
    minProperties: count,
    maxProperties: count,
    uniqueItems: flag,
    deprecated: flag,
    readOnly: flag,
    writeOnly: flag
  } as const)
)

/** A reference inside the schema that leads somewhere, or what is wrong with it. No schema is fetched. */
const referenceProblem = (reference: unknown, root: Readonly<Record<string, unknown>>): string | null => {
  if (!isText(reference)) return "must be a text"
  if (!reference.startsWith("#"))
    return "must point inside this schema (`#/$defs/…`); no schema is fetched from elsewhere"
  if (reference === "#" || !reference.startsWith("#/")) return null
  let here: unknown = root
  for (const step of reference.slice(2).split("/")) {
    const name = step.replaceAll("~1", "/").replaceAll("~0", "~")
    here = (isObject(here) || Array.isArray(here)) && Object.hasOwn(here, name) ? Reflect.get(here, name) : undefined
    if (here === undefined) return "points at nothing in this schema"
  }
  return here === Reflect.get(root, "$ref")
    ? null
    : isObject(here) || typeof here === "boolean"
      ? null
      : "points at no schema"
}
