/** The explicit conversion of a result into the plain shape that model loops and MCP clients use. */
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { Json } from "@gatehouse/core/Json"

/** As MCP's `CallToolResult` (2025-11-25), without what only a transport needs. */
export interface ToolResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent?: Json
  readonly isError: boolean
}

/** The model's view of `result`, and nothing else of it. */
export const toToolResult = (result: EffectResult): ToolResult => {
  const { data, text } = result.views.model
  return {
    content: [{ type: "text", text }],
    ...(data === undefined ? {} : { structuredContent: data }),
    isError: result.status !== "succeeded"
  }
}
