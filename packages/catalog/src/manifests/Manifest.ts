/** Reads one file of a core: its path says which schema reads it. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { AgentManifest } from "./AgentManifest.ts"
import { McpManifest, withServerDefaults } from "./McpManifest.ts"
import { ScheduleManifest } from "./ScheduleManifest.ts"
import { ToolManifest } from "./ToolManifest.ts"
import { type Reading, readYamlFile, strictly } from "./YamlFile.ts"

/** Reads the text of `agent.yaml`. */
export const readAgentManifest = (text: string): Reading<AgentManifest> => readYamlFile("agent.yaml", text, decodeAgent)

/** Reads the text of `agent/tools/<id>/tool.yaml`. */
export const readToolManifest = (id: string, text: string): Reading<ToolManifest> =>
  readYamlFile(`agent/tools/${id}/tool.yaml`, text, decodeTool)

/** Reads the text of `agent/mcp/<server>.yaml`. */
export const readMcpManifest = (server: string, text: string): Reading<McpManifest> =>
  Either.map(readYamlFile(`agent/mcp/${server}.yaml`, text, decodeMcp), (manifest) => ({
    ...manifest,
    value: withServerDefaults(manifest.value, server)
  }))

/** Reads the text of `agent/schedules/<id>.yaml`. */
export const readScheduleManifest = (id: string, text: string): Reading<ScheduleManifest> =>
  readYamlFile(`agent/schedules/${id}.yaml`, text, decodeSchedule)

/** Any manifest of a core. */
export type AnyManifest = AgentManifest | ToolManifest | McpManifest | ScheduleManifest

/**
 * Reads the text of a file by its path in the core; null where no manifest has that path.
 *
 * @example
 * readManifest("agent.yaml", "agent:\n  id: helper\n")
 */
export const readManifest = (file: string, text: string): Reading<AnyManifest> | null => {
  if (file === "agent.yaml") return readAgentManifest(text)
  const [, tool] = /^agent\/tools\/([^/]+)\/tool\.yaml$/.exec(file) ?? []
  if (tool !== undefined) return readToolManifest(tool, text)
  const [, server] = /^agent\/mcp\/([^/]+)\.yaml$/.exec(file) ?? []
  if (server !== undefined) return readMcpManifest(server, text)
  const [, schedule] = /^agent\/schedules\/([^/]+)\.yaml$/.exec(file) ?? []
  return schedule === undefined ? null : readScheduleManifest(schedule, text)
}

const decodeAgent = Schema.decodeUnknownEither(AgentManifest, strictly)
const decodeTool = Schema.decodeUnknownEither(ToolManifest, strictly)
const decodeMcp = Schema.decodeUnknownEither(McpManifest, strictly)
const decodeSchedule = Schema.decodeUnknownEither(ScheduleManifest, strictly)
