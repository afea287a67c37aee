/** The tools of a catalog as an MCP client is told of them: deterministic pages, annotations of the host's own judgement. */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { JsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"

/** MCP `Tool` (2025-11-25, server/tools), as far as the host has something to say. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly annotations: {
    /** Judged by policy: an upstream server's own claim never counts. */
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly openWorldHint: boolean
  }
}

export interface ToolPage {
  readonly tools: ReadonlyArray<ListedTool>
  readonly nextCursor?: string
}

/** Tools in one answer. */
export const toolsInPage = 200

/** The page of `entries` that `cursor` names (none: the first), or why there is none. */
export const toolPage = (
  entries: ReadonlyArray<EffectEntry>,
  cursor: string | undefined
): Either.Either<ToolPage, string> => {
  const start = cursor === undefined ? 0 : Number(/^at:(\d{1,9})$/.exec(cursor)?.[1] ?? Number.NaN)
  if (!Number.isInteger(start) || start > entries.length)
    return Either.left("the cursor is not one that this endpoint gave")
  const end = start + toolsInPage
  const tools = entries.slice(start, end).map(listed)
  return Either.right(end < entries.length ? { tools, nextCursor: `at:${end}` } : { tools })
}

const listed = ({ description, inputSchema, name, readOnly, risk, source }: EffectEntry): ListedTool => ({
  name,
  description,
  inputSchema,
  annotations: {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly && risk !== "low",
    openWorldHint: source === "mcp" || name === "web_extract"
  }
})
