/**
 * Fingerprints of JSON values: equal values have equal fingerprints, whatever the order of their fields.
 */

import { createHash, createHmac } from "node:crypto"
import * as Brand from "effect/Brand"
import type { Json } from "./Json.ts"

/** SHA-256 in lower-case hexadecimal, 64 characters. */
export type Fingerprint = string & Brand.Brand<"Fingerprint">
export const Fingerprint = Brand.nominal<Fingerprint>()

/** The text of `value` with the fields of every object in code unit order (as RFC 8785 orders them). */
export const canonicalJson = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1))
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(",")}}`
}

/** The fingerprint of `value`. It hides nothing: short values can be guessed from it. */
export const fingerprint = (value: Json): Fingerprint =>
  Fingerprint(createHash("sha256").update(canonicalJson(value)).digest("hex"))

/** A fingerprint that only holders of `key` can make or compare; for values that must not be guessed. */
export const keyedFingerprint = (key: Uint8Array, value: Json): Fingerprint =>
  Fingerprint(createHmac("sha256", key).update(canonicalJson(value)).digest("hex"))
