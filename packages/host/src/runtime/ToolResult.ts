/** The explicit conversion of a result into the plain shape that model loops and MCP clients use. */
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { isJsonObject, type JsonObject } from "@gatehouse/core/Json"

/** As MCP's `CallToolResult` (2025-11-25, server/tools), without what only a transport needs. */
export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent?: JsonObject
  readonly isError: boolean
}

/** The model's view of `result`; for what did not succeed, also the typed ending and what would help. */
export const toToolResult = (result: EffectResult): ToolResult => {
  const { data, text } = result.views.model
  const content = [{ type: "text" as const, text }]
  if (result.status === "succeeded") {
    return { content, ...(isJsonObject(data) ? { structuredContent: data } : {}), isError: false }
  }
  const { error, executionStarted, mayHaveHappened, status } = result
  const ending =
    error === null ? null : { tag: error._tag, stage: error.stage, message: error.message, remedy: error.remedy }
  return { content, structuredContent: { status, executionStarted, mayHaveHappened, error: ending }, isError: true }
}
