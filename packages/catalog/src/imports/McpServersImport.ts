/**
 * Takes over the MCP servers of another client: `{"mcpServers": {...}}` (most clients) and `{"servers": {...}}`
 * (VS Code). Pure: the JSON in, files of a core and notes out. What looks like a secret becomes a `${NAME}`
 * reference, and what is asked from now on is said.
 */
import type { JsonObject } from "@gatehouse/core/Json"
import { freezeJson, isJsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import { Document } from "yaml"
import { readMcpManifest } from "../manifests/Manifest.ts"
import { renderFault, visible } from "../manifests/ManifestFault.ts"
import { schemaLine } from "../starter/StarterCore.ts"
import { hideSecrets } from "./HideSecrets.ts"

/** Something that the owner has to know about one server. */
export interface ImportNote {
  readonly server: string
  readonly kind: "written" | "secret" | "tightened" | "dropped" | "refused"
  readonly message: string
}

export interface McpImport {
  /** Path in the core to text. */
  readonly files: Readonly<Record<string, string>>
  readonly notes: ReadonlyArray<ImportNote>
  /** Variables that have to be set for the host, without their values. */
  readonly variables: ReadonlyArray<string>
}

/**
 * Converts the servers in `json`, or says why there are none in it. A server that cannot be taken over is a note; the
 * others are converted.
 *
 * @example
 * importMcpServers({ mcpServers: { docs: { command: "npx", args: ["-y", "docs"], env: { API_KEY: "…" } } } })
 */
export const importMcpServers = (json: unknown): Either.Either<McpImport, string> => {
  const frozen = Either.mapLeft(freezeJson(json), ({ path, reason }) => `${path}: ${reason}`)
  if (Either.isLeft(frozen)) return Either.left(frozen.left)
  const servers = isJsonObject(frozen.right) ? serversIn(frozen.right) : null
  if (servers === null) {
    return Either.left(
      "holds no `mcpServers` and no `servers`; name the JSON file in which the client keeps its servers"
    )
  }
  const converted = Object.entries(servers).map(([name, entry]) => convert(name, entry))
  return Either.right({
    files: Object.fromEntries(converted.flatMap(({ files }) => files)),
    notes: converted.flatMap(({ notes }) => notes),
    variables: [...new Set(converted.flatMap(({ variables }) => variables))].sort()
  })
}

/** `mcpServers` at the top, `servers` (VS Code's mcp.json), or `mcp.servers` (VS Code's settings.json). */
const serversIn = (json: JsonObject): JsonObject | null => {
  const { mcp, mcpServers, servers } = json
  const nested = isJsonObject(mcp) ? mcp["servers"] : undefined
  return [mcpServers, servers, nested].find(isJsonObject) ?? null
}

interface Converted {
  readonly files: ReadonlyArray<readonly [string, string]>
  readonly notes: ReadonlyArray<ImportNote>
  readonly variables: ReadonlyArray<string>
}

const convert = (name: string, entry: unknown): Converted => {
  const server = name
    .trim()
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .slice(0, 64)
  const note = (kind: ImportNote["kind"], message: string): ImportNote => ({ server: visible(name), kind, message })
  const refused = (message: string): Converted => ({ files: [], notes: [note("refused", message)], variables: [] })
  if (server === "" || server.startsWith(".")) return refused("has no name that can be a file name")
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) return refused("is no block of fields")

  const { dropped, fields } = taken(entry as JsonObject)
  const { fields: hidden, variables, where } = hideSecrets(server, fields)
  const text = `${schemaLine("mcp", 2)}\n${new Document(hidden).toString({ lineWidth: 0 })}`
  const reading = readMcpManifest(server, text)
  if (Either.isLeft(reading)) return refused(`cannot be taken over: ${reading.left.map(renderFault).join("; ")}`)
  return {
    files: [[reading.right.file, text]],
    notes: [
      note("written", `is ${reading.right.file}`),
      ...where.map(({ field, variable }) =>
        note("secret", `${field} is taken from the variable ${variable}; set it for the host`)
      ),
      ...dropped.map((field) => note("dropped", `${visible(field)} has no counterpart and is left out`)),
      note(
        "tightened",
        `opening it asks, and needs the capability mcp.connect:${server}; its tools ask, and need mcp.call:${server}`
      )
    ],
    variables
  }
}

/** The fields of a declaration that other clients' fields stand for, and the names of those that have none. */
const taken = (entry: JsonObject): { readonly fields: JsonObject; readonly dropped: ReadonlyArray<string> } => {
  const { args, command, cwd, disabled, env, headers, serverUrl, type: _type, url: plainUrl, ...others } = entry
  const url = plainUrl ?? serverUrl
  const isRemote = command === undefined && url !== undefined
  const kept = isRemote ? { url, headers } : { command, args, env, cwd }
  const unused = isRemote ? { args, env, cwd } : { url, headers }
  return {
    fields: definedOnly({
      ...(disabled === true ? { enabled: false } : {}),
      transport: isRemote ? "streamable_http" : "stdio",
      ...kept
    }),
    dropped: [...Object.keys(others), ...Object.keys(definedOnly(unused))]
  }
}

const definedOnly = (fields: { readonly [name: string]: JsonObject[string] | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
