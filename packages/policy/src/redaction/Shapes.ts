/** What a value looks like without saying what it is: types, lengths, field names. */
import { isJsonObject, type Json } from "@gatehouse/core/Json"

/**
 * The shape of `value`, at most `most` values of it.
 *
 * @example
 * shapeOf({ path: "README.md", lines: [1, 2] }, 10)
 * // { path: "string of 9", lines: ["array of 2", "number"] }
 */
export const shapeOf = (value: Json, most: number): Json => {
  let left = most
  const shape = (part: Json): Json => {
    left -= 1
    if (typeof part === "string") return `string of ${part.length}`
    if (part === null) return "null"
    if (typeof part !== "object") return typeof part
    if (!isJsonObject(part)) {
      const first = part[0]
      return first === undefined || left <= 0 ? `array of ${part.length}` : [`array of ${part.length}`, shape(first)]
    }
    const keys = Object.keys(part)
    const fields: Array<[string, Json]> = []
    for (const key of keys) {
      if (left <= 0) {
        fields.push(["…", `${keys.length - fields.length} more`])
        break
      }
      fields.push([key, shape(part[key] ?? null)])
    }
    return Object.fromEntries(fields)
  }
  return shape(value)
}
