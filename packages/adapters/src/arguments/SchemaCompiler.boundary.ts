/** The JSON Schema library at arm's length: compiles schemas, and puts its errors into our words. */

import { createRequire } from "node:module"
import type { JsonObject } from "@gatehouse/core/Json"
import type { Ajv, ErrorObject, Options } from "ajv"
import type { ArgumentCheck, ArgumentFault } from "./ArgumentFault.ts"
import { isTamePattern, patternTextLimit } from "./TamePattern.ts"

/** Null where the schema does not compile. */
export const makeCompiler = (): ((schema: JsonObject) => ArgumentCheck | null) => {
  let newest: Ajv | null = null
  let elder: Ajv | null = null
  return (schema) => {
    const compiler = isElder(schema) ? (elder ??= elderCompiler()) : (newest ??= newestCompiler())
    const alone = withoutDialect(schema)
    try {
      const validate = compiler.compile(alone)
      return (args) => (validate(args) ? null : faultOf(validate.errors?.[0]))
    } catch {
      return null
    } finally {
      // Two tools may use one $id, and the memory of schemas is kept elsewhere.
      compiler.removeSchema(alone)
    }
  }
}

/**
 * `pattern` and `patternProperties` with expressions that may take very long are not looked at: the tool itself sees
 * the arguments after all, and a host that stands still serves nobody.
 */
const tameRegExp = Object.assign(
  (source: string, flags: string) => {
    const tame = isTamePattern(source)
    const expression = expressionOf(source, flags)
    return {
      test: (text: string) => !tame || text.length > patternTextLimit || expression.test(text),
      // The library tells expressions apart by it.
      toString: () => String(expression)
    }
  },
  { code: "tameRegExp" }
)

/** Many authors write what only the syntax without `u` takes (`\\_`, a lone brace); there it means what they think. */
const expressionOf = (source: string, flags: string): RegExp => {
  try {
    return new RegExp(source, flags)
  } catch {
    return new RegExp(source, flags.replace("u", ""))
  }
}

const options: Options = {
  // Unknown keywords and formats say nothing; tools of servers are full of them.
  strict: false,
  allErrors: false,
  validateSchema: false,
  ownProperties: true,
  logger: false,
  code: { regExp: tameRegExp }
}

/**
 * The library is loaded when the first schema is compiled: it takes a tenth of a second, which commands that call
 * nothing need not spend. What `require` gives is untyped; the package's own types say what it is.
 */
const require = createRequire(import.meta.url)

const elderCompiler = (): Ajv => {
  const library = require("ajv") as typeof import("ajv")
  return withFormats(new library.Ajv(options))
}

const newestCompiler = (): Ajv => {
  const library = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js")
  return withFormats(new library.Ajv2020(options))
}

const withFormats = (compiler: Ajv): Ajv => {
  const library = require("ajv-formats") as typeof import("ajv-formats")
  return library.default(compiler)
}

const isElder = (schema: JsonObject): boolean =>
  typeof schema["$schema"] === "string" && /draft-0?[3-7]\b/.test(schema["$schema"])

/** The dialect has been chosen; its name would be looked up as another schema. */
const withoutDialect = (schema: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => keyword !== "$schema"))

const faultOf = (error: ErrorObject | undefined): ArgumentFault => {
  if (error === undefined) return { path: "", message: "does not fit the tool's input schema" }
  const { instancePath, keyword } = error
  const params: unknown = error.params
  const at = (name?: string): string =>
    [...instancePath.split("/").slice(1).map(unescaped), ...(name === undefined ? [] : [name])].map(shownName).join(".")
  const param = (name: string): string => {
    const value: unknown = typeof params === "object" && params !== null ? Reflect.get(params, name) : undefined
    return typeof value === "string" ? value : ""
  }
  switch (keyword) {
    case "required":
    case "dependentRequired":
    case "dependencies":
      return { path: at(param("missingProperty")), message: "is missing; give it a value" }
    case "additionalProperties":
      return { path: at(param("additionalProperty")), message: "is no argument of this tool; leave it out" }
    case "unevaluatedProperties":
      return { path: at(param("unevaluatedProperty")), message: "is no argument of this tool; leave it out" }
    case "propertyNames":
      return { path: at(param("propertyName")), message: "has a name that the tool does not take" }
    case "enum":
      return { path: at(), message: `must be one of ${allowedValues(params)}` }
    case "pattern":
      return { path: at(), message: "must have the form that the input schema's pattern describes" }
    case "anyOf":
    case "oneOf":
    case "not":
    case "if":
    case "const":
    case "false schema":
      return { path: at(), message: "does not fit what the input schema says about it; look at the schema" }
    default:
      // The library's own words name limits and types of the schema, and nothing of the value.
      return { path: at(), message: error.message ?? "does not fit the tool's input schema" }
  }
}

const unescaped = (part: string): string => part.replaceAll("~1", "/").replaceAll("~0", "~")

/** Names come with the arguments too: bounded, and without what cannot be seen. */
const shownName = (name: string): string => {
  const visible = name.replaceAll(/[\p{C}\p{Z}]/gu, "?")
  return visible.length > 64 ? `${visible.slice(0, 63)}…` : visible
}

/** The words of the schema, the first ten. */
const allowedValues = (params: unknown): string => {
  const allowed: unknown =
    typeof params === "object" && params !== null && "allowedValues" in params ? params.allowedValues : []
  const words = Array.isArray(allowed) ? allowed.map((value) => shownName(JSON.stringify(value) ?? "")) : []
  return words.length > 10 ? `${words.slice(0, 10).join(", ")} and ${words.length - 10} more` : words.join(", ")
}
