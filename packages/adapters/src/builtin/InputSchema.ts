/** The JSON Schema of a tool's arguments, from the Effect schema that reads them: one definition for both. */
import { isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import * as JSONSchema from "effect/JSONSchema"
import type * as Schema from "effect/Schema"

/** What the model is told: draft-07, without the names that the library gives to its own checks. */
export const inputSchemaOf = <A, I>(schema: Schema.Schema<A, I>): JsonObject => {
  const { $schema: _, ...rest } = plain(JSON.parse(JSON.stringify(JSONSchema.make(schema))))
  return rest
}

const plain = (value: Json): JsonObject => {
  const stripped = strip(value)
  return isJsonObject(stripped) ? stripped : {}
}

const strip = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(strip)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== "title" || typeof inner !== "string")
      .map(([key, inner]) => [key, strip(inner)])
  )
}
