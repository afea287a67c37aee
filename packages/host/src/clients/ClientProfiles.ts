/**
 * The MCP clients that Gatehouse knows: where each keeps its servers, and how it writes one. Pure. Sources: the
 * documentation of each client, named beside it.
 */
import { join } from "node:path"
import type { JsonObject } from "@gatehouse/core/Json"

/** The endpoint as a client reaches it: a program that it starts, or an address with a token in a variable. */
export type Reach =
  | { readonly kind: "stdio"; readonly command: string; readonly args: ReadonlyArray<string> }
  | { readonly kind: "http"; readonly url: string; readonly tokenFile: string | null }

export interface ClientProfile {
  readonly title: string
  /** The file that holds its servers, for the person whose home it is and the folder that they work in. */
  readonly file: (place: { readonly userHome: string; readonly cwd: string }) => string
  readonly format: "json" | "toml"
  /** Where its servers stand in that file. */
  readonly servers: ReadonlyArray<string>
  readonly entry: (reach: Reach) => JsonObject
  /** A command that does the same, where the client has one. */
  readonly command?: (reach: Reach) => string
}

/** The name under which clients know the endpoint. */
export const endpointName = "gatehouse"

/** The variable in which clients look for the token. */
export const tokenVariable = "GATEHOUSE_TOKEN"

export const clientProfiles = {
  // https://code.claude.com/docs/en/mcp
  "claude-code": {
    title: "Claude Code",
    file: ({ cwd }) => join(cwd, ".mcp.json"),
    format: "json",
    servers: ["mcpServers"],
    entry: (reach) =>
      reach.kind === "stdio"
        ? { type: "stdio", ...started(reach) }
        : { type: "http", url: reach.url, ...bearer(reach, `\${${tokenVariable}}`) },
    command: (reach) =>
      reach.kind === "stdio"
        ? `claude mcp add ${endpointName} -- ${[reach.command, ...reach.args].map(quoted).join(" ")}`
        : `claude mcp add --transport http ${endpointName} ${reach.url}${reach.tokenFile === null ? "" : ` --header "Authorization: Bearer $(cat ${quoted(reach.tokenFile)})"`}`
  },
  // https://developers.openai.com/codex/mcp
  codex: {
    title: "Codex",
    file: ({ userHome }) => join(userHome, ".codex", "config.toml"),
    format: "toml",
    servers: ["mcp_servers"],
    entry: (reach) =>
      reach.kind === "stdio"
        ? started(reach)
        : { url: reach.url, ...(reach.tokenFile === null ? {} : { bearer_token_env_var: tokenVariable }) }
  },
  // https://geminicli.com/docs/tools/mcp-server
  gemini: {
    title: "Gemini CLI",
    file: ({ userHome }) => join(userHome, ".gemini", "settings.json"),
    format: "json",
    servers: ["mcpServers"],
    entry: (reach) =>
      reach.kind === "stdio" ? started(reach) : { httpUrl: reach.url, ...bearer(reach, `$${tokenVariable}`) }
  },
  // https://opencode.ai/docs/mcp-servers
  opencode: {
    title: "opencode",
    file: ({ userHome }) => join(userHome, ".config", "opencode", "opencode.json"),
    format: "json",
    servers: ["mcp"],
    entry: (reach) =>
      reach.kind === "stdio"
        ? { type: "local", command: [reach.command, ...reach.args], enabled: true }
        : { type: "remote", url: reach.url, enabled: true, ...bearer(reach, `{env:${tokenVariable}}`) }
  },
  // https://code.visualstudio.com/docs/copilot/reference/mcp-configuration
  vscode: {
    title: "VS Code",
    file: ({ cwd }) => join(cwd, ".vscode", "mcp.json"),
    format: "json",
    servers: ["servers"],
    entry: (reach) =>
      reach.kind === "stdio"
        ? { type: "stdio", ...started(reach) }
        : { type: "http", url: reach.url, ...bearer(reach, `\${env:${tokenVariable}}`) }
  },
  // https://cursor.com/docs/context/mcp
  cursor: {
    title: "Cursor",
    file: ({ userHome }) => join(userHome, ".cursor", "mcp.json"),
    format: "json",
    servers: ["mcpServers"],
    entry: (reach) =>
      reach.kind === "stdio" ? started(reach) : { url: reach.url, ...bearer(reach, `\${env:${tokenVariable}}`) }
  }
} satisfies Readonly<Record<string, ClientProfile>>

export type ClientId = keyof typeof clientProfiles

export const clientIds = Object.keys(clientProfiles) as ReadonlyArray<ClientId>

const started = ({ args, command }: Extract<Reach, { readonly kind: "stdio" }>) => ({ command, args })

const bearer = ({ tokenFile }: Extract<Reach, { readonly kind: "http" }>, reference: string) =>
  tokenFile === null ? {} : { headers: { Authorization: `Bearer ${reference}` } }

/** A word of a POSIX shell. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
