/**
 * `agent/mcp/<server>.yaml`: how one MCP server is opened. `${NAME}` in values is kept as it stands: it is replaced
 * when the server is opened, after the approval.
 */
import * as Schema from "effect/Schema"
import {
  byHeader,
  byVariable,
  CapabilityName,
  HeaderValue,
  Line,
  PolicyName,
  ProcessText,
  RiskName,
  Seconds
} from "./FieldRules.ts"
import type { Judgement } from "./SchemaHints.ts"
import { ExpectedHint, FaultCodeHint, judged, optional, unset } from "./SchemaHints.ts"
import { serverUrlProblem } from "./ServerUrl.ts"

const Transport = Schema.Literal("stdio", "streamable_http").annotations({
  [ExpectedHint]: "`stdio` (a program) or `streamable_http` (a URL); the older HTTP+SSE transport is not spoken"
})

const ServerUrl = Schema.String.pipe(
  Schema.filter((text) => serverUrlProblem(text) ?? true, {
    [FaultCodeHint]: "invalid_value",
    jsonSchema: { pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/@]+(/.*)?$" }
  })
)

const Filters = Schema.Struct({
  include: optional(
    Schema.Array(Line),
    [],
    "Names of the server's own tools that are taken, `*` for any run; none: all."
  ),
  exclude: optional(Schema.Array(Line), [], "Names that are left out. Exclusion wins.")
})

const Fields = Schema.Struct({
  enabled: optional(Schema.Boolean, true, "`false` leaves the server alone."),
  transport: optional(Transport, "stdio", "How the server is spoken to."),
  command: unset(Line, "Program of a stdio server."),
  args: optional(Schema.Array(ProcessText), [], "Arguments of the program."),
  env: optional(byVariable(ProcessText), {}, "Variables for the program; `${NAME}` takes one of the host's."),
  cwd: optional(Schema.NullOr(Line), null, "Folder that the program starts in, inside the workspace."),
  url: unset(ServerUrl, "Address of a streamable_http server."),
  headers: optional(byHeader(HeaderValue), {}, "Headers of each request; `${NAME}` takes a variable of the host's."),
  tools: optional(Filters, { include: [], exclude: [] }, "Which of the server's tools the model sees."),
  risk: optional(RiskName, "medium", "How grave a call is."),
  approval_policy: optional(PolicyName, "prompt", "What happens before a call. Opening the server always asks."),
  capability: unset(CapabilityName, "Required before a call. Default: `mcp.call:<server>`."),
  connect_timeout_seconds: optional(Seconds, 30, "Seconds until the server has to be open and its tools listed."),
  timeout_seconds: optional(Seconds, 60, "Seconds that one call may take."),
  supports_parallel_tool_calls: optional(Schema.Boolean, false, "Whether calls may overlap.")
})

type Fields = Schema.Schema.Type<typeof Fields>

const needed = (fields: Fields): ReadonlyArray<Judgement> => {
  if (fields.transport === "stdio" && fields.command === undefined) {
    const hint = fields.url === undefined ? "" : "; for a server at a URL say `transport: streamable_http`"
    return [{ path: ["command"], message: `is missing: a stdio server needs the program to start${hint}` }]
  }
  return fields.transport === "streamable_http" && fields.url === undefined
    ? [{ path: ["url"], message: "is missing: a streamable_http server needs its URL" }]
    : []
}

/** Fields of the other transport would be read past in silence; whoever wrote them believes that they count. */
const misplaced = (fields: Fields): ReadonlyArray<Judgement> => {
  const told = (names: ReadonlyArray<keyof Fields>, transport: Fields["transport"]): ReadonlyArray<Judgement> =>
    names.map((name) => ({ path: [name], message: `belongs to \`transport: ${transport}\`; remove one of the two` }))
  const filled = (value: object): boolean => Object.keys(value).length > 0
  if (fields.transport === "stdio") {
    return told(
      [...(fields.url === undefined ? [] : ["url" as const]), ...(filled(fields.headers) ? ["headers" as const] : [])],
      "streamable_http"
    )
  }
  return told(
    [
      ...(fields.command === undefined ? [] : ["command" as const]),
      ...(fields.args.length > 0 ? ["args" as const] : []),
      ...(filled(fields.env) ? ["env" as const] : []),
      ...(fields.cwd === null ? [] : ["cwd" as const])
    ],
    "stdio"
  )
}

/** The schema that reads `agent/mcp/<server>.yaml`. */
export const McpManifest = judged(judged(Fields, needed, { code: "missing_field" }), misplaced)

/** What the two judgements mean for an editor; a JSON Schema is made of the fields alone. */
export const mcpJsonSchemaRules = {
  title: "Gatehouse MCP server",
  description: "One MCP server of an agent core, and how it is opened.",
  if: { properties: { transport: { const: "streamable_http" } }, required: ["transport"] },
  then: { required: ["url"] },
  else: { required: ["command"] }
}

/** A read declaration, defaults filled in; fields are named as in the file. */
export type McpManifest = Fields & { readonly capability: string }

/** `manifest` with the capability that it has where none is written. */
export const withServerDefaults = (manifest: Fields, server: string): McpManifest => ({
  ...manifest,
  capability: manifest.capability ?? `mcp.call:${server}`
})
