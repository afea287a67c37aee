/**
 * The name under which the model sees a tool of an MCP server: `<server>__<tool>`, each character outside
 * `[A-Za-z0-9_-]` one hyphen, beginning with a letter, 64 characters at most (what the model providers take).
 */
import { createHash } from "node:crypto"

/** Characters of a name that a model provider takes. */
export const exposedNameLimit = 64

/** What every exposed name looks like. */
export const exposedName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** A tool of a server under the server's own name for it. */
export interface ServerTool {
  readonly server: string
  readonly tool: string
}

/** The plain name of a tool; it may be too long. Outer blanks go. */
export const plainName = ({ server, tool }: ServerTool): string => `${serverPart(server)}__${spelled(tool)}`

/**
 * The name of a tool whose plain name is too long or taken: cut, and ended by the first `digits` of a hash of server
 * and original name. It is the same whatever stands beside it.
 */
export const hashedName = (named: ServerTool, digits: number): string => {
  const ending = `-${digestOf(named).slice(0, digits)}`
  const room = exposedNameLimit - ending.length - separator.length
  const server = serverPart(named.server)
  const tool = spelled(named.tool)
  // A long server leaves half of the room to the tool's own name.
  const toolRoom = Math.max(room - server.length, Math.ceil(room / 2))
  const toolPart = tool.slice(0, toolRoom)
  return `${server.slice(0, room - toolPart.length)}${separator}${toolPart}${ending}`
}

/** Digits of the whole hash. */
export const digestDigits = 40

const separator = "__"

const spelled = (text: string): string => text.trim().replace(/[^A-Za-z0-9_-]/gu, "-")

const serverPart = (server: string): string => {
  const name = spelled(server)
  return /^[A-Za-z]/.test(name) ? name : `mcp-${name}`
}

// The pair is hashed as JSON, so that no separator inside a name makes two pairs one.
const digestOf = ({ server, tool }: ServerTool): string =>
  createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex")
    .slice(0, digestDigits)
