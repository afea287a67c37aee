/** A bounded picture of a JSON value. What is left out is counted, never silently gone. */
import { boundedText } from "@gatehouse/core/BoundedText"
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import type { PreviewBounds } from "./Redactor.ts"

/**
 * `value` within `bounds`; redact before you cut, so that no limit halves a secret.
 *
 * @example
 * boundedJson(["a", "b", "c"], { depth: 2, items: 2, string: 10, total: 100 }) // ["a", "b", "… 1 more"]
 */
export const boundedJson = (value: Json, bounds: PreviewBounds): Json => {
  let budget = bounds.total
  let within = bounds
  // A preview that is still too large is made again with half of everything; ends at single items of a few letters.
  for (;;) {
    const preview = picture(value, within, within.depth)
    if (JSON.stringify(preview).length <= budget || within.items <= 1) {
      return JSON.stringify(preview).length <= budget ? preview : boundedText(JSON.stringify(preview), budget - 2)
    }
    within = { ...within, items: Math.max(1, within.items >> 1), string: Math.max(16, within.string >> 1) }
    budget = bounds.total
  }
}

const picture = (value: Json, bounds: PreviewBounds, depth: number): Json => {
  if (typeof value === "string") return boundedText(value, bounds.string)
  if (typeof value !== "object" || value === null) return value
  if (depth <= 0) return Array.isArray(value) ? `[${value.length} items]` : `{${Object.keys(value).length} fields}`
  if (!isJsonObject(value)) {
    const shown: Array<Json> = value.slice(0, bounds.items).map((item) => picture(item, bounds, depth - 1))
    if (value.length > bounds.items) shown.push(`… ${value.length - bounds.items} more`)
    return shown
  }
  const keys = Object.keys(value)
  const fields = keys
    .slice(0, bounds.items)
    .map((key): [string, Json] => [boundedText(key, bounds.string), picture(value[key] ?? null, bounds, depth - 1)])
  if (keys.length > bounds.items) fields.push(["…", `${keys.length - bounds.items} more`])
  return Object.fromEntries(fields)
}
