/** The result of `tools/call`: what of it is shown, and whether it is what the tool promised. Pure. */
import { canonicalJson } from "@gatehouse/core/Fingerprint"
import { freezeJson, isJsonObject, type Json, type JsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import type { ArgumentSchemas } from "../../arguments/ArgumentSchemas.ts"
import type { ListedTool } from "../listing/ListedTool.ts"
import { type Piece, readContent } from "./ContentBlocks.ts"

export interface CallAnswer {
  readonly pieces: ReadonlyArray<Piece>
  readonly structured: JsonObject | null
  /** The tool says itself that it failed. */
  readonly isError: boolean
  /** Why this is no answer of this tool, although it is one of the protocol; null where all is well. */
  readonly fault: string | null
}

/** What structured content may hold. */
const structuredBounds = { depth: 64, size: 1024 * 1024, count: 50_000 } as const

/** Never the output schema on an error: the error itself would be lost behind a complaint about its form. */
export const readAnswer = (
  result: Readonly<Record<string, unknown>>,
  { outputSchema }: Pick<ListedTool, "outputSchema">,
  schemas: ArgumentSchemas
): CallAnswer => {
  const { content, isError, resultType, structuredContent } = result
  const pieces = Array.isArray(content) ? readContent(content) : []
  const frozen = structuredContent === undefined ? null : freezeJson(structuredContent, structuredBounds)
  const structured = frozen !== null && Either.isRight(frozen) && isJsonObject(frozen.right) ? frozen.right : null
  const base = { pieces, structured, isError: isError === true }
  if (resultType !== undefined && resultType !== "complete") {
    return {
      ...base,
      fault: `it is of the type ${typeof resultType === "string" ? resultType.slice(0, 40) : "(no text)"}, which this revision of MCP does not know`
    }
  }
  if (content !== undefined && !Array.isArray(content)) return { ...base, fault: "its content is no list" }
  if (base.isError) return { ...base, fault: null }
  if (content === undefined && structured === null) return { ...base, fault: "it has no content" }
  return { ...base, fault: structureFault(frozen, structured, outputSchema, schemas) }
}

const structureFault = (
  frozen: ReturnType<typeof freezeJson> | null,
  structured: JsonObject | null,
  outputSchema: JsonObject | null,
  schemas: ArgumentSchemas
): string | null => {
  if (frozen !== null && Either.isLeft(frozen)) {
    const { path, reason } = frozen.left
    return `its structured content ${path === "" ? "" : `(${path.slice(0, 80)}) `}${reason}`
  }
  if (frozen !== null && structured === null) return "its structured content is no object"
  if (outputSchema === null) return null
  if (structured === null) return "the tool has an output schema, and it has no structured content"
  const fault = schemas.validate(outputSchema, structured)
  return fault === null
    ? null
    : `its structured content does not fit the output schema: ${fault.path === "" ? "it" : fault.path} ${fault.message}`
}

/** The text that says the same as the structure, where one does: servers send both for older clients. */
export const saysTheSame = (text: string, structured: Json): boolean => {
  const first = text.trimStart()[0]
  if (first !== "{") return false
  try {
    const parsed = Either.getOrNull(freezeJson(JSON.parse(text), structuredBounds))
    return parsed !== null && canonicalJson(parsed) === canonicalJson(structured)
  } catch {
    return false
  }
}
