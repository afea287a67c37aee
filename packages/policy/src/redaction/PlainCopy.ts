/**
 * A plain JSON copy of whatever a tool hands back; what is frozen JSON already stays as it is. Nothing of the value is trusted: getters are not called,
 * `toJSON` is not asked, a proxy may throw. What JSON lacks becomes a text that says what stood there.
 */

import { types } from "node:util"
import { isFrozenJson, type Json } from "@gatehouse/core/Json"

/** What a copy holds at most; what lies beyond is named, not kept. */
export interface CopyBounds {
  /** Nested containers. */
  readonly depth: number
  /** Values of any type. */
  readonly count: number
}

/** Deep and wide enough for results of real tools. */
export const copyBounds: CopyBounds = { depth: 200, count: 1_000_000 }

/** Fields of an error that are not enumerable but say what went wrong. */
const errorFields = ["name", "message", "stack", "cause", "errors"]

/** The copy; throws where the value cannot be read (a proxy that throws), which the redactor takes as a failure. */
export const plainCopy = (input: unknown, bounds: CopyBounds = copyBounds): Json => {
  let count = 0
  const open = new Set<object>()

  const copy = (value: unknown, depth: number): Json => {
    switch (typeof value) {
      case "string":
      case "boolean":
        return value
      case "number":
        return Number.isFinite(value) ? value : String(value)
      case "bigint":
        return value.toString()
      case "undefined":
        return null
      case "symbol":
        return `<symbol ${value.description ?? ""}>`
      case "function":
        return "<function>"
      default:
        return isObject(value) ? container(value, depth) : null
    }
  }
  const container = (value: object, depth: number): Json => {
    if (isFrozenJson(value)) return value
    count += 1
    if (count > bounds.count) return "<more values>"
    if (depth >= bounds.depth) return "<nested deeper>"
    if (open.has(value)) return "<circular>"
    open.add(value)
    const result = read(value, depth + 1)
    open.delete(value)
    return result
  }
  const read = (value: object, depth: number): Json => {
    if (Array.isArray(value)) return list(value, depth)
    if (types.isNativeError(value)) return fields(value, depth, errorFields)
    if (types.isDate(value)) return dateText(value)
    if (types.isRegExp(value)) return RegExp.prototype.toString.call(value)
    if (types.isMap(value)) return pairs(Map.prototype.entries.call(value), depth)
    if (types.isSet(value)) return list([...Set.prototype.values.call(value)], depth)
    if (ArrayBuffer.isView(value)) {
      return copy(bytesText(Buffer.from(value.buffer, value.byteOffset, value.byteLength)), depth)
    }
    if (types.isAnyArrayBuffer(value)) return copy(bytesText(Buffer.from(value)), depth)
    if (types.isBoxedPrimitive(value)) return copy(unboxed(value), depth)
    return fields(value, depth, value instanceof Error ? errorFields : [])
  }
  const list = (value: ReadonlyArray<unknown>, depth: number): Json => {
    const result: Array<Json> = []
    for (let index = 0; index < value.length; index++) {
      if (count > bounds.count) {
        result.push("<more values>")
        break
      }
      count += 1
      result.push(copy(own(value, index), depth))
    }
    return result
  }
  const fields = (value: object, depth: number, hidden: ReadonlyArray<string>): Json => {
    const result: Record<string, Json> = {}
    for (const key of hidden) {
      const field = errorField(value, key)
      if (field !== undefined) set(result, key, copy(field, depth))
    }
    for (const key of Object.keys(value)) {
      if (count > bounds.count) {
        result["<more>"] = "<more values>"
        break
      }
      count += 1
      set(result, key, copy(own(value, key), depth))
    }
    return result
  }
  const pairs = (entries: Iterable<[unknown, unknown]>, depth: number): Json => {
    const result: Record<string, Json> = {}
    let index = 0
    for (const [key, field] of entries) {
      count += 1
      const name = typeof key === "string" ? key : `<key ${index}> ${JSON.stringify(copy(key, depth))}`
      set(result, name, copy(field, depth))
      index += 1
    }
    return result
  }
  return copy(input, 0)
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

/** Sets a field; `__proto__` becomes a name like every other. */
const set = (target: Record<string, Json>, key: string, value: Json): void => {
  if (key === "__proto__")
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  else target[key] = value
}

/** A field as it lies there; an accessor is named, never called. */
const own = (value: object, key: string | number): unknown => {
  const descriptor = Object.getOwnPropertyDescriptor(value, key)
  if (descriptor === undefined) return undefined
  return "value" in descriptor ? descriptor.value : "<accessor>"
}

/** A field of an error: its own, or the data field of its class (`name` stands on the prototype). */
const errorField = (value: object, key: string): unknown => {
  for (let at: object | null = value, hops = 0; at !== null && hops < 8; at = Object.getPrototypeOf(at), hops++) {
    const descriptor = Object.getOwnPropertyDescriptor(at, key)
    if (descriptor !== undefined) return "value" in descriptor ? descriptor.value : undefined
  }
  return undefined
}

const dateText = (value: Date): string => {
  const time = Date.prototype.getTime.call(value)
  return Number.isNaN(time) ? "<invalid date>" : new Date(time).toISOString()
}

/** Bytes as text where they are text, else in base64, so that a secret in them is found. */
const bytesText = (bytes: Buffer): string => {
  const text = bytes.toString("utf8")
  return text.includes("\ufffd") ? bytes.toString("base64") : text
}

const unboxed = (value: object): unknown => {
  if (types.isStringObject(value)) return String.prototype.toString.call(value)
  if (types.isNumberObject(value)) return Number.prototype.valueOf.call(value)
  if (types.isBooleanObject(value)) return Boolean.prototype.valueOf.call(value)
  if (types.isBigIntObject(value)) return BigInt.prototype.toString.call(value)
  return "<symbol>"
}
