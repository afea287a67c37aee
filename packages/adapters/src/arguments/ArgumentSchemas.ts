/**
 * Checks arguments against input schemas (JSON Schema 2020-12; draft-07 and its elders where `$schema` says so). A
 * schema is compiled when it is first needed, once for each text; what it refers to outside itself is never fetched.
 */
import { canonicalJson } from "@gatehouse/core/Fingerprint"
import type { Json, JsonObject } from "@gatehouse/core/Json"
import type { ArgumentCheck, ArgumentFault } from "./ArgumentFault.ts"
import { makeCompiler } from "./SchemaCompiler.boundary.ts"

export interface ArgumentSchemas {
  /** The first fault of `args`; null where they fit. Synchronous. */
  readonly validate: (schema: JsonObject, args: Json) => ArgumentFault | null
}

/** Characters of a schema. */
const schemaSizeLimit = 512 * 1024
/** Containers within one another in a schema. */
const schemaDepthLimit = 64
/** Compiled schemas that are kept; each takes some 10 kB. */
const keptSchemas = 2_000

/** A checker with a memory of its own. */
export const makeArgumentSchemas = (): ArgumentSchemas => {
  const compile = makeCompiler()
  /** Frozen schemas of a catalog are the same objects call after call. */
  const byObject = new WeakMap<JsonObject, ArgumentCheck>()
  const byText = new Map<string, ArgumentCheck>()

  const checkOf = (schema: JsonObject): ArgumentCheck => {
    if (depthOf(schema) > schemaDepthLimit) return always(tooLarge)
    const text = canonicalJson(schema)
    if (text.length > schemaSizeLimit) return always(tooLarge)
    const known = byText.get(text)
    if (known !== undefined) return known
    const compiled = compile(schema) ?? always(unusable)
    byText.set(text, compiled)
    for (const oldest of byText.keys()) {
      if (byText.size <= keptSchemas) break
      byText.delete(oldest)
    }
    return compiled
  }
  return {
    validate: (schema, args) => {
      let check = byObject.get(schema)
      if (check === undefined) {
        check = checkOf(schema)
        byObject.set(schema, check)
      }
      return check(args)
    }
  }
}

const always =
  (fault: ArgumentFault): ArgumentCheck =>
  () =>
    fault

const tooLarge: ArgumentFault = {
  path: "",
  message: `cannot be checked: the tool's input schema has more than ${schemaSizeLimit} characters or ${schemaDepthLimit} levels; its author has to simplify it`
}

const unusable: ArgumentFault = {
  path: "",
  message: "cannot be checked: the tool's input schema is no usable JSON Schema; its author has to mend it"
}

/** Levels of containers, looked at no further than the limit. */
const depthOf = (value: Json, level = 0): number => {
  if (typeof value !== "object" || value === null || level > schemaDepthLimit) return level
  let deepest = level
  for (const inner of Object.values(value)) deepest = Math.max(deepest, depthOf(inner, level + 1))
  return deepest
}
