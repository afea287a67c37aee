/**
 * Whether a schema that a server sends can be used: bounded, of a known dialect, and without references that lead
 * nowhere, outside, or round in circles. Nothing is compiled and nothing is inlined. Pure.
 */
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import { BoundsWalk } from "./BoundsWalk.ts"
import { keywordFault, placesOf } from "./SchemaKeywords.ts"

/** Subschemas that checking one value may visit where every reference is followed once. */
const expandedLimit = 100_000

/**
 * The schema of a tool, as it came from `JSON.parse`, or what is wrong with it. It is not copied: the catalog freezes it
 * where it stands.
 *
 * @example
 * judgeSchema({ type: "object" })             // Right({ type: "object" })
 * judgeSchema({ type: "array", items: {} })   // Left("has type array; it must be object")
 */
export const judgeSchema = (input: unknown): Either.Either<JsonObject, string> => {
  if (input === undefined) return Either.left("is missing")
  const tooLarge = new BoundsWalk().fault(input)
  if (tooLarge !== null) return Either.left(tooLarge)
  // The one cast of a parsed text: the walk has seen every value of it.
  const schema = input as Json
  if (!isJsonObject(schema)) return Either.left(`is ${kindOf(schema)}, not an object`)
  if (schema["type"] !== "object") {
    const type = schema["type"]
    return Either.left(
      type === undefined
        ? "has no type; it must be object"
        : `has ${typeof type === "string" ? `type ${type.slice(0, 40)}` : "a type of another shape"}; it must be object`
    )
  }
  const fault = dialectFault(schema) ?? new SchemaWalk(schema).fault()
  return fault === null ? Either.right(schema) : Either.left(fault)
}

/** Dialects that arguments can be checked with (JSON Schema 2020-12 and 2019-09, draft-07 and draft-06). */
const dialects = /^https?:\/\/json-schema\.org\/(?:draft\/(?:2020-12|2019-09)|draft-0[67])\/schema#?$/

const dialectFault = (schema: JsonObject): string | null => {
  const dialect = schema["$schema"]
  if (dialect === undefined) return null
  if (typeof dialect !== "string" || !dialects.test(dialect)) {
    return "names a dialect that cannot be checked; use JSON Schema 2020-12 or draft-07"
  }
  return null
}

const kindOf = (value: Json): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`

const shortPath = (path: string): string => (path.length > 80 ? `${path.slice(0, 40)}…` : path)

class SchemaWalk {
  private readonly root: JsonObject
  private readonly isElder: boolean
  private readonly anchors = new Map<string, Json>()
  private readonly expanded = new Map<object, number>()
  private readonly open = new Set<object>()
  private problem: string | null = null
  private hasReferences = false

  constructor(root: JsonObject) {
    this.root = root
    this.isElder = /draft-0[67]/.test(String(root["$schema"]))
  }

  fault(): string | null {
    this.visit(this.root, "")
    if (!this.hasReferences || this.problem !== null) return this.problem
    this.problem = this.circle()
    if (this.problem === null && this.weigh(this.root) > expandedLimit) {
      this.problem = `grows beyond ${expandedLimit} parts where its references are followed`
    }
    return this.problem
  }

  private readonly seen: Array<{ readonly schema: JsonObject; readonly path: string }> = []

  /** Every subschema once, by its keywords. */
  private visit(schema: Json, path: string): void {
    if (this.problem !== null || typeof schema === "boolean") return
    if (!isJsonObject(schema)) {
      this.problem = `${path === "" ? "it" : shortPath(path)} is ${kindOf(schema)}, not a schema`
      return
    }
    this.seen.push({ schema, path })
    if (typeof schema["$ref"] === "string") this.hasReferences = true
    const anchor = schema["$anchor"]
    if (typeof anchor === "string") this.anchors.set(anchor, schema)
    const fault = keywordFault(schema, this.isElder)
    if (fault !== null) {
      this.problem = path === "" ? fault : `${shortPath(path)} ${fault}`
      return
    }
    for (const { at, schema: inner } of placesOf(schema)) this.visit(inner, path === "" ? at : `${path}.${at}`)
  }

  /** References lead to a place within, and not round to where they started with nothing in between. */
  private circle(): string | null {
    for (const { path, schema } of this.seen) {
      const passed = new Set<object>()
      let at: Json | undefined = schema
      while (at !== undefined && isJsonObject(at) && typeof at["$ref"] === "string") {
        if (passed.has(at)) return `${shortPath(path)} refers to itself and to nothing else`
        passed.add(at)
        const target: Json | undefined = this.resolve(at["$ref"])
        if (target === undefined) {
          return `${shortPath(path)} has a $ref that leads ${at["$ref"].startsWith("#") ? "nowhere" : "outside the schema; nothing is fetched"}`
        }
        at = target
      }
    }
    return null
  }

  private resolve(reference: string): Json | undefined {
    if (!reference.startsWith("#")) return undefined
    const pointer = reference.slice(1)
    if (pointer === "") return this.root
    if (!pointer.startsWith("/")) return this.anchors.get(pointer)
    let at: Json | undefined = this.root
    for (const part of pointer.slice(1).split("/")) {
      const key = decoded(part)
      if (Array.isArray(at)) at = /^\d+$/.test(key) ? at[Number(key)] : undefined
      else at = at !== undefined && isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
    }
    return typeof at === "boolean" || (at !== undefined && isJsonObject(at)) ? at : undefined
  }

  /** Subschemas below `schema`, references followed; recursion counts once, because values end it. */
  private weigh(schema: Json): number {
    if (!isJsonObject(schema)) return 1
    const known = this.expanded.get(schema)
    if (known !== undefined) return known
    if (this.open.has(schema)) return 1
    this.open.add(schema)
    let weight = 1
    for (const { schema: inner, at } of placesOf(schema)) if (!isDefinition(at)) weight += this.weigh(inner)
    if (typeof schema["$ref"] === "string") weight += this.weigh(this.resolve(schema["$ref"]) ?? true)
    this.open.delete(schema)
    this.expanded.set(schema, weight)
    return weight
  }
}

/** Definitions weigh where they are referred to. */
const isDefinition = (at: string): boolean => at.startsWith("$defs.") || at.startsWith("definitions.")

const decoded = (part: string): string => {
  const plain = part.replaceAll("~1", "/").replaceAll("~0", "~")
  return /^(?:[^%]|%[0-7][0-9a-f])*$/i.test(plain) ? decodeURIComponent(plain) : plain
}
