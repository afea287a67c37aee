/**
 * The second half of the walk: the copy again, with every secret replaced. Where nothing is replaced the same value
 * comes back.
 */
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import { binaryField, decodedBlock } from "./BinaryBlock.ts"
import type { Collected } from "./Collector.ts"
import { type Interval, united } from "./exact/ExactMatcher.ts"
import { type SecretSet, secretsIn } from "./exact/KnownSecrets.ts"
import type { Sensitivity } from "./FieldNames.ts"
import type { SecretText } from "./text/SecretText.ts"
import { isPlaceholder, looksRandom } from "./text/ValueLooks.ts"

export interface Masking {
  readonly text: SecretText
  readonly collected: Collected
  readonly sets: ReadonlyArray<SecretSet>
  readonly mark: string
  readonly checkTime: () => void
  /** Told of every value that is replaced. */
  readonly masked: (value: string) => void
}

export const maskTree = (root: Json, masking: Masking): Json => {
  const { text, collected, sets, mark, checkTime, masked } = masking
  const texts = new Map<string, string>()

  const maskText = (content: string, more: ReadonlyArray<Interval> = []): string => {
    const known = more.length === 0 ? texts.get(content) : undefined
    if (known !== undefined) return known
    checkTime()
    const found = [...more, ...(collected.texts.get(content) ?? []), ...secretsIn(content, sets)]
    const result = found.length === 0 ? content : replaced(content, united(found), mark, masked)
    if (more.length === 0) texts.set(content, result)
    return result
  }
  const hide = (value: Json): Json => {
    if (value === null || typeof value === "boolean" || value === "") return value
    if (typeof value === "string") {
      if (isPlaceholder(value)) return value
      masked(value)
      return mark
    }
    if (typeof value === "number") masked(String(value))
    const empty = typeof value === "object" && Object.keys(value).length === 0
    return empty ? value : mark
  }
  const visit = (value: Json, inside: Sensitivity): Json => {
    if (inside === "secret") return hide(value)
    if (typeof value === "string") {
      if (inside === "likely" && looksRandom(value, 12)) return hide(value)
      if (inside === "counted" && !/^-?[\d.,_]*[kKmM%]?$/.test(value)) return hide(value)
      return maskText(value)
    }
    if (isJsonObject(value)) return visitObject(value, inside)
    if (Array.isArray(value)) return visitList(value, inside)
    if (typeof value === "number" && sets.length > 0) {
      const written = String(value)
      return secretsIn(written, sets).length === 0 ? value : hide(value)
    }
    return value
  }
  const visitList = (value: ReadonlyArray<Json>, inside: Sensitivity): Json => {
    const whole = collected.whole.get(value)
    const parts = collected.parts.get(value)
    let changed = false
    const result = value.map((item, index) => {
      const more = parts?.get(index)
      const visited = whole?.has(index)
        ? hide(item)
        : typeof item === "string" && more !== undefined && inside === "open"
          ? maskText(item, more)
          : visit(item, inside)
      if (visited !== item) changed = true
      return visited
    })
    return changed ? result : value
  }
  const visitObject = (value: JsonObject, inside: Sensitivity): Json => {
    const whole = collected.whole.get(value)
    const binary = binaryField(value)
    const result: Record<string, Json> = {}
    const numbers = new Map<string, number>()
    let changed = false
    for (const key of Object.keys(value)) {
      const field = value[key] ?? null
      const own = whole?.has(key) ? "secret" : text.names.sensitivity(key)
      const visited =
        key === binary && typeof field === "string" ? maskBinary(field) : visit(field, own === "open" ? inside : own)
      const name = freeName(result, maskText(key), numbers)
      if (visited !== field || name !== key) changed = true
      define(result, name, visited)
    }
    return changed ? result : value
  }
  /** A block of bytes in base64 is withheld as a whole; its size stays. */
  const maskBinary = (content: string): string => {
    const decoded = decodedBlock(content)
    const holds = maskText(content) !== content || secretsIn(decoded, sets).length > 0 || text.find(decoded).length > 0
    if (!holds) return content
    masked(content)
    return `${mark} (${decoded.length} bytes withheld)`
  }
  return visit(root, "open")
}

const define = (target: Record<string, Json>, key: string, value: Json): void => {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}

/** Two names that become one mark keep their values: the second is numbered. */
const freeName = (taken: JsonObject, name: string, numbers: Map<string, number>): string => {
  if (!Object.hasOwn(taken, name)) return name
  let number = numbers.get(name) ?? 2
  while (Object.hasOwn(taken, `${name} ${number}`)) number += 1
  numbers.set(name, number + 1)
  return `${name} ${number}`
}

const replaced = (
  content: string,
  intervals: ReadonlyArray<Interval>,
  mark: string,
  masked: (value: string) => void
): string => {
  let result = ""
  let at = 0
  for (const { start, end } of intervals) {
    masked(content.slice(start, end))
    result += content.slice(at, start) + mark
    at = end
  }
  return result + content.slice(at)
}
