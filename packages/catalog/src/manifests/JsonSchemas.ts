/**
 * The JSON Schemas (draft-07) of the files of a core, for editors. They are generated from the schemas that read the
 * files; the committed copies in `packages/catalog/schemas` are written by `scripts/write-schemas.mjs`.
 */
import * as JSONSchema from "effect/JSONSchema"
import { AgentManifest } from "./AgentManifest.ts"
import { McpManifest, mcpJsonSchemaRules } from "./McpManifest.ts"
import { ScheduleManifest } from "./ScheduleManifest.ts"
import { ToolManifest } from "./ToolManifest.ts"

/** Name of the schema file to its text. */
export const jsonSchemaFiles = (): Readonly<Record<string, string>> => ({
  "agent.schema.json": rendered(JSONSchema.make(AgentManifest)),
  "tool.schema.json": rendered(JSONSchema.make(ToolManifest)),
  "mcp.schema.json": rendered({ ...JSONSchema.make(McpManifest), ...mcpJsonSchemaRules }),
  "schedule.schema.json": rendered(JSONSchema.make(ScheduleManifest))
})

const rendered = (schema: object): string => `${JSON.stringify(schema, null, 2)}\n`
