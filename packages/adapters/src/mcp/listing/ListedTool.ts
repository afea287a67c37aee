/** A tool as its server defines it, judged and bounded. */
import type { JsonObject } from "@gatehouse/core/Json"

/** What a server claims about a tool (MCP, `ToolAnnotations`). Shown as claims; nothing is loosened by them. */
export type ToolClaims = JsonObject

export interface ListedTool {
  /** The server's own name: what calls say. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject | null
  readonly claims: ToolClaims
}

/** A tool that is left out, and why. `tool` is safe to show. */
export interface RefusedTool {
  readonly tool: string
  readonly reason: string
}

/** Something about a tool that was taken all the same. */
export interface ToolNote {
  readonly tool: string
  readonly note: string
}
