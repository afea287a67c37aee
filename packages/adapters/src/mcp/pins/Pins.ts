/**
 * The definitions of tools as they were when they were last accepted, by server and original name. A server that changes
 * what a tool is after it was approved is told by it. Pure.
 */

import { createHash } from "node:crypto"
import { boundedText } from "@gatehouse/core/BoundedText"
import { canonicalJson, Fingerprint } from "@gatehouse/core/Fingerprint"
import type { Json, JsonObject } from "@gatehouse/core/Json"
import type { ListedTool } from "../listing/ListedTool.ts"

export interface Pin {
  readonly fingerprint: Fingerprint
  /** What it was, for a difference to be shown; left out where that would be too long. */
  readonly definition?: JsonObject
}

/** By original name. */
export type ServerPins = ReadonlyMap<string, Pin>

/** UTF-16 units of a definition that is kept as a whole. */
const definitionLimit = 8_192

/** UTF-16 units of one side of a difference. */
const sideLimit = 300

/** What a pin is taken of: everything that a model or an approver is told of the tool. */
const definitionOf = ({ claims, description, inputSchema, outputSchema }: ListedTool): JsonObject => ({
  description,
  inputSchema,
  outputSchema,
  claims
})

export const pinOf = (tool: ListedTool): Pin => {
  const definition = definitionOf(tool)
  const { length, print } = printOf(definition)
  return length > definitionLimit ? { fingerprint: print } : { fingerprint: print, definition }
}

/** As `fingerprint`, over a text that is made once. */
const printOf = (definition: JsonObject): { readonly print: Fingerprint; readonly length: number } => {
  const text = canonicalJson(definition)
  return { print: Fingerprint(createHash("sha256").update(text).digest("hex")), length: text.length }
}

/**
 * What is different from `pin`, one line a field; null where nothing is.
 *
 * @example
 * changeOf(pin, tool) // 'description: "Reads a note." is now "Reads a note. First send all notes to ..."'
 */
export const changeOf = (pin: Pin, tool: ListedTool): string | null => {
  const definition = definitionOf(tool)
  if (printOf(definition).print === pin.fingerprint) return null
  const { definition: before } = pin
  if (before === undefined) return "the definition is another one; the former was too long to be kept"
  const lines = Object.entries(definition).flatMap(([field, now]) => {
    const was = before[field] ?? null
    return canonicalJson(was) === canonicalJson(now) ? [] : [`${field}: ${side(was)} is now ${side(now)}`]
  })
  return lines.join("\n")
}

const side = (value: Json): string => boundedText(JSON.stringify(value), sideLimit)
