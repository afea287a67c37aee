/** Reads one file of a core: its path says which schema reads it. */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { AgentManifest } from "./AgentManifest.ts"
import type { ManifestFault } from "./ManifestFault.ts"
import { byPlace, visible } from "./ManifestFault.ts"
import { McpManifest, withServerDefaults } from "./McpManifest.ts"
import { ScheduleManifest } from "./ScheduleManifest.ts"
import type { FieldFault } from "./SchemaFaults.ts"
import { schemaFaults } from "./SchemaFaults.ts"
import { ToolManifest } from "./ToolManifest.ts"
import { readYaml } from "./YamlText.ts"

/** A manifest with its place in the core, so that a decision can name the line that it rests on. */
export interface ReadManifest<A> {
  readonly file: string
  readonly value: A
  /** The place of a field for people: `agent.yaml:12 approval.tools.write_file`. */
  readonly origin: (path: ReadonlyArray<string>) => string
}

type Reading<A> = Either.Either<ReadManifest<A>, ReadonlyArray<ManifestFault>>

/** Reads the text of `agent.yaml`. */
export const readAgentManifest = (text: string): Reading<AgentManifest> => read("agent.yaml", text, decodeAgent)

/** Reads the text of `agent/tools/<id>/tool.yaml`. */
export const readToolManifest = (id: string, text: string): Reading<ToolManifest> =>
  read(`agent/tools/${id}/tool.yaml`, text, decodeTool)

/** Reads the text of `agent/mcp/<server>.yaml`. */
export const readMcpManifest = (server: string, text: string): Reading<McpManifest> =>
  Either.map(read(`agent/mcp/${server}.yaml`, text, decodeMcp), (manifest) => ({
    ...manifest,
    value: withServerDefaults(manifest.value, server)
  }))

/** Reads the text of `agent/schedules/<id>.yaml`. */
export const readScheduleManifest = (id: string, text: string): Reading<ScheduleManifest> =>
  read(`agent/schedules/${id}.yaml`, text, decodeSchedule)

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

const strictly = { errors: "all", onExcessProperty: "error" } as const
const decodeAgent = Schema.decodeUnknownEither(AgentManifest, strictly)
const decodeTool = Schema.decodeUnknownEither(ToolManifest, strictly)
const decodeMcp = Schema.decodeUnknownEither(McpManifest, strictly)
const decodeSchedule = Schema.decodeUnknownEither(ScheduleManifest, strictly)

const read = <A>(
  file: string,
  text: string,
  decode: (input: unknown) => Either.Either<A, ParseResult.ParseError>
): Reading<A> => {
  const yaml = readYaml(text)
  if (Either.isLeft(yaml)) {
    return Either.left(
      yaml.left.map(({ code, line, message, path }) => ({
        file,
        line,
        field: dotted(path),
        code,
        suggestion: null,
        message
      }))
    )
  }
  const { lineOf, value } = yaml.right
  const placed = (fault: FieldFault): ManifestFault => ({
    file,
    line: lineOf(fault.path),
    field: dotted(fault.path),
    code: fault.code,
    suggestion: fault.suggestion,
    message: fault.message
  })
  return Either.mapBoth(decode(value), {
    onLeft: ({ issue }) => schemaFaults(issue).map(placed).sort(byPlace),
    onRight: (decoded) => ({
      file,
      value: decoded,
      origin: (path: ReadonlyArray<string>) => `${file}:${lineOf(path)} ${visible(dotted(path))}`
    })
  })
}

const dotted = (path: ReadonlyArray<PropertyKey>): string => path.map(String).join(".")
