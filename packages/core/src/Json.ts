/**
 * JSON values, and the one way by which a value from outside becomes one: {@link freezeJson} copies it within
 * bounds and freezes the copy all the way down, so that neither side can change what the other one judged.
 */
import * as Either from "effect/Either"

export type Json = null | boolean | number | string | ReadonlyArray<Json> | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** What {@link freezeJson} takes at most. */
export interface JsonBounds {
  /** Nested containers. */
  readonly depth: number
  /** UTF-16 units of all strings and keys together. */
  readonly size: number
  /** Values of any type, containers included. */
  readonly count: number
}

/** Bounds of the arguments of a call: deep enough for real tools, far below what overflows a stack. */
export const argumentBounds: JsonBounds = { depth: 64, size: 16 * 1024 * 1024, count: 200_000 }

/** Why a value is no JSON that Gatehouse takes. `path` is dotted, from the root (the empty text). */
export interface JsonRefused {
  readonly path: string
  readonly reason: string
}

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/**
 * A deeply frozen copy of `input`, or the first place that is refused: a function, a symbol, `undefined`, a number
 * that JSON lacks, an accessor, a prototype other than that of plain objects, the key `__proto__`, a cycle, or a
 * value beyond `bounds`.
 *
 * @example
 * freezeJson({ path: "README.md" }) // Right({ path: "README.md" })
 * freezeJson({ when: new Date() })  // Left({ path: "when", reason: "is a Date, which JSON does not have" })
 */
export const freezeJson = (input: unknown, bounds: JsonBounds = argumentBounds): Either.Either<Json, JsonRefused> => {
  let size = 0
  let count = 0
  const open = new Set<object>()

  const refuse = (path: string, reason: string): never => {
    throw new Refusal({ path, reason })
  }
  const measure = (text: string, path: string): void => {
    size += text.length
    if (size > bounds.size) refuse(path, `makes the value larger than ${bounds.size} characters`)
  }
  const copy = (value: unknown, path: string, depth: number): Json => {
    count += 1
    if (count > bounds.count) refuse(path, `makes more than ${bounds.count} values`)
    switch (typeof value) {
      case "string":
        measure(value, path)
        return value
      case "boolean":
        return value
      case "number":
        return Number.isFinite(value) ? value : refuse(path, `is ${value}, which JSON does not have`)
      case "object":
        return value === null ? null : copyContainer(value, path, depth)
      default:
        return refuse(path, `is of type ${typeof value}, which JSON does not have`)
    }
  }
  const copyContainer = (value: object, path: string, depth: number): Json => {
    if (depth >= bounds.depth) refuse(path, `is nested deeper than ${bounds.depth}`)
    if (open.has(value)) refuse(path, "contains itself")
    open.add(value)
    const result = Array.isArray(value) ? copyArray(value, path, depth) : copyObject(value, path, depth)
    open.delete(value)
    return Object.freeze(result)
  }
  const copyArray = (value: ReadonlyArray<unknown>, path: string, depth: number): Array<Json> => {
    const result: Array<Json> = []
    for (let index = 0; index < value.length; index++) {
      const at = join(path, String(index))
      const descriptor = Object.getOwnPropertyDescriptor(value, index)
      if (descriptor === undefined || !("value" in descriptor)) refuse(at, "is no plain element")
      else result.push(copy(descriptor.value, at, depth + 1))
    }
    return result
  }
  const copyObject = (value: object, path: string, depth: number): JsonObject => {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null) {
      refuse(path, `is a ${value.constructor?.name ?? "special object"}, which JSON does not have`)
    }
    const result: Record<string, Json> = {}
    for (const key of Reflect.ownKeys(value)) {
      const at = join(path, String(key))
      if (typeof key === "symbol") return refuse(at, "is named by a symbol")
      if (key === "__proto__") refuse(at, "is a name that would change the object's prototype")
      const descriptor = Object.getOwnPropertyDescriptor(value, key)
      if (descriptor === undefined || !("value" in descriptor)) return refuse(at, "is an accessor, not a value")
      measure(key, at)
      if (descriptor.value !== undefined) result[key] = copy(descriptor.value, at, depth + 1)
    }
    return result
  }

  try {
    const copied = copy(input, "", 0)
    if (typeof copied === "object" && copied !== null) frozen.add(copied)
    return Either.right(copied)
  } catch (error) {
    if (error instanceof Refusal) return Either.left(error.refused)
    // A proxy's trap or a revoked proxy threw: whatever it said is not ours to repeat.
    return Either.left({ path: "", reason: "cannot be read" })
  }
}

const frozen = new WeakSet<object>()

/** Whether `value` was made by {@link freezeJson}: plain JSON that nobody can change, so it need not be copied again. */
export const isFrozenJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null ? frozen.has(value) : typeof value === "string" || value === null

class Refusal {
  readonly refused: JsonRefused
  constructor(refused: JsonRefused) {
    this.refused = refused
  }
}

const join = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`)
