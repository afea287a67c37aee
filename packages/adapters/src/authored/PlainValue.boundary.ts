/**
 * Any value that a tool hands back, as JSON within bounds. Foreign code may stand behind it (getters, proxies,
 * `toJSON`): what throws here is the tool's fault, and the caller catches it.
 */
import type { Json } from "@gatehouse/core/Json"

export interface PlainBounds {
  readonly depth: number
  /** Values of any type. */
  readonly count: number
  /** UTF-16 units of all strings and keys. */
  readonly size: number
}

export interface PlainValue {
  readonly value: Json
  /** Something was left out because of a bound. */
  readonly truncated: boolean
}

export const plainValue = (input: unknown, bounds: PlainBounds): PlainValue => {
  let count = 0
  let size = 0
  let truncated = false
  const open = new Set<object>()

  const text = (value: string): string => {
    const room = Math.max(0, bounds.size - size)
    size += value.length
    if (value.length <= room) return value
    truncated = true
    return `${value.slice(0, room)}… (${value.length} characters)`
  }
  const copy = (value: unknown, depth: number): Json => {
    count += 1
    if (count > bounds.count || size > bounds.size) {
      truncated = true
      return null
    }
    switch (typeof value) {
      case "string":
        return text(value)
      case "boolean":
        return value
      case "number":
        return Number.isFinite(value) ? value : String(value)
      case "bigint":
        return String(value)
      case "object":
        return value === null ? null : container(value, depth)
      default:
        return null
    }
  }
  const container = (value: object, depth: number): Json => {
    const shortened = shortForm(value)
    if (shortened !== null) return text(shortened)
    if (open.has(value)) return "(circular)"
    if (depth >= bounds.depth) {
      truncated = true
      return "(nested too deeply)"
    }
    open.add(value)
    const copied = list(value, depth) ?? fields(value, depth)
    open.delete(value)
    return copied
  }
  const list = (value: object, depth: number): Json | null => {
    if (!Array.isArray(value) && !(value instanceof Set)) return null
    const items: Array<Json> = []
    for (const item of value) {
      if (count > bounds.count || size > bounds.size) break
      items.push(copy(item, depth + 1))
    }
    return items
  }
  const fields = (value: object, depth: number): Json => {
    const result: Array<readonly [string, Json]> = []
    const entries = value instanceof Map ? value.entries() : Object.entries(value)
    for (const [key, inner] of entries) {
      if (count > bounds.count || size > bounds.size) {
        truncated = true
        break
      }
      const name = String(key)
      if (inner === undefined || typeof inner === "function" || typeof inner === "symbol") continue
      if (name !== "__proto__") result.push([text(name), copy(inner, depth + 1)])
    }
    return Object.fromEntries(result)
  }
  const value = copy(input, 0)
  return { value, truncated: truncated || count > bounds.count || size > bounds.size }
}

/** Values that say more as one text than as their fields. */
const shortForm = (value: object): string | null => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "(no date)" : value.toISOString()
  if (value instanceof Error) return `${value.name}: ${value.message}`
  if (value instanceof URL || value instanceof RegExp) return String(value)
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `(${value.byteLength} bytes)`
  return null
}
