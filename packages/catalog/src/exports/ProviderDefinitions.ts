/**
 * The definitions of a catalog in the plain shapes that model providers take. Nothing is renamed: the name that comes
 * back is the one that the catalog resolves.
 */
import type { ToolDefinition } from "@gatehouse/core/EffectEntry"
import type { JsonObject } from "@gatehouse/core/Json"

/** `tools/list` of the Model Context Protocol. */
export interface McpToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** A function tool of OpenAI's Responses API. */
export interface OpenAiToolDefinition {
  readonly type: "function"
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
  /** Strict mode changes schemas; arguments are judged by the host. */
  readonly strict: false
}

/** A tool of Anthropic's Messages API. */
export interface AnthropicToolDefinition {
  readonly name: string
  readonly description: string
  readonly input_schema: JsonObject
}

/** @example catalog.definitions.map(mcpTool) */
export const mcpTool = ({ description, inputSchema, name }: ToolDefinition): McpToolDefinition => ({
  name,
  description,
  inputSchema: objectSchema(inputSchema)
})

/** @example catalog.definitions.map(openAiTool) */
export const openAiTool = ({ description, inputSchema, name }: ToolDefinition): OpenAiToolDefinition => ({
  type: "function",
  name,
  description,
  parameters: withProperties(objectSchema(inputSchema)),
  strict: false
})

/** @example catalog.definitions.map(anthropicTool) */
export const anthropicTool = ({ description, inputSchema, name }: ToolDefinition): AnthropicToolDefinition => ({
  name,
  description,
  input_schema: objectSchema(inputSchema)
})

/** All three ask for `type: object` at the root; a schema that leaves it out means it. */
const objectSchema = (schema: JsonObject): JsonObject =>
  schema["type"] === "object" ? schema : { type: "object", ...schema }

/** OpenAI refuses an object without `properties`. */
const withProperties = (schema: JsonObject): JsonObject =>
  schema["properties"] === undefined ? { ...schema, properties: {} } : schema
