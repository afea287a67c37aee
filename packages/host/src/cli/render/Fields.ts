/** A JSON answer as a person reads it: one field a line, nested ones indented. */
import { isJsonObject, type Json } from "@gatehouse/core/Json"

/**
 * @example
 * renderFields({ decision: "prompt", because: [{ rule: "runs code" }] }, { colours: false })
 * // decision  prompt
 * // because
 * //   - rule  runs code
 */
export const renderFields = (value: Json, style: { readonly colours: boolean }, indent = ""): string => {
  if (Array.isArray(value)) {
    if (value.every((item) => !isContainer(item))) return `${indent}${value.map(String).join(", ")}`
    return value.map((item) => `${indent}- ${renderFields(item, style, `${indent}  `).trimStart()}`).join("\n")
  }
  if (!isJsonObject(value)) return `${indent}${typeof value === "string" ? value : JSON.stringify(value)}`
  const fields = Object.entries(value).filter(([, field]) => !isEmpty(field))
  const width = Math.max(0, ...fields.map(([name]) => name.length))
  return fields
    .map(([name, field]) => {
      const label = style.colours ? `\u001b[2m${name.padEnd(width)}\u001b[0m` : name.padEnd(width)
      return isContainer(field) && !(Array.isArray(field) && field.every((item) => !isContainer(item)))
        ? `${indent}${label.trimEnd()}\n${renderFields(field, style, `${indent}  `)}`
        : `${indent}${label}  ${renderFields(field, style)}`
    })
    .join("\n")
}

const isContainer = (value: Json): boolean => typeof value === "object" && value !== null

const isEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0
