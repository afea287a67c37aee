/**
 * Under which names the model sees the tools of MCP servers. The answer does not depend on the order of servers and
 * tools. Cases in `test/vectors/tool-names.json`.
 */
import { visible } from "../manifests/ManifestFault.ts"
import type { ServerTool } from "./ExposedName.ts"
import { digestDigits, exposedNameLimit, hashedName, plainName } from "./ExposedName.ts"
import type { ToolFilter } from "./NamePattern.ts"
import { passesFilter } from "./NamePattern.ts"

/** A server with the names that it gives its tools, in its order. */
export interface ServerTools extends ToolFilter {
  readonly id: string
  readonly tools: ReadonlyArray<string>
}

export interface NamingInput {
  readonly servers: ReadonlyArray<ServerTools>
  /** Names that are taken. */
  readonly builtin: ReadonlyArray<string>
  readonly authored: ReadonlyArray<string>
}

/** A tool and the name that the model sees. Policy, approvals and pins are bound to server and tool, never to that. */
export interface NamedTool extends ServerTool {
  readonly name: string
}

/** A tool that gets no name, and why. */
export interface UnnamedTool extends ServerTool {
  readonly reason: "excluded" | "nameless" | "duplicate"
}

export interface Naming {
  readonly outcome: "named"
  /** Sorted by server, then tool. */
  readonly names: ReadonlyArray<NamedTool>
  readonly unnamed: ReadonlyArray<UnnamedTool>
}

export interface NameCollision {
  readonly outcome: "collision"
  readonly name: string
  /** Holds both provenances and the advice to rename. */
  readonly message: string
}

/**
 * Names the tools of all servers, or refuses because a builtin or an authored tool has the same name.
 *
 * A name that two tools of one server share is nobody's: neither could be called without guessing. Where two plain
 * names are equal (letter case disregarded) or too long, each ends in a hash.
 *
 * @example
 * nameTools({ servers: [{ id: "docs", tools: ["search"] }], builtin: [], authored: [] })
 * // { outcome: "named", names: [{ server: "docs", tool: "search", name: "docs__search" }], unnamed: [] }
 */
export const nameTools = (input: NamingInput): Naming | NameCollision => {
  const { taken, unnamed } = sorted(input.servers)
  const names = distinctNames(taken)
  return ownCollision(input) ?? outsideCollision(names, input) ?? { outcome: "named", names, unnamed }
}

/** The tools that are to be named, and those that are not. */
const sorted = (servers: ReadonlyArray<ServerTools>) => {
  const taken: Array<ServerTool> = []
  const unnamed: Array<UnnamedTool> = []
  const seen = new Map<string, number>()
  const keyOf = ({ server, tool }: ServerTool): string => JSON.stringify([server, tool])
  for (const { id: server, tools, ...filter } of servers) {
    for (const tool of tools) {
      const one = { server, tool }
      if (tool.trim() === "") unnamed.push({ ...one, reason: "nameless" })
      else if (!passesFilter(tool, filter)) unnamed.push({ ...one, reason: "excluded" })
      else {
        seen.set(keyOf(one), (seen.get(keyOf(one)) ?? 0) + 1)
        taken.push(one)
      }
    }
  }
  const once = (one: ServerTool): boolean => seen.get(keyOf(one)) === 1
  unnamed.push(...taken.filter((one) => !once(one)).map((one) => ({ ...one, reason: "duplicate" as const })))
  return { taken: taken.filter(once).sort(byServerAndTool), unnamed }
}

const byServerAndTool = (left: ServerTool, right: ServerTool): number =>
  compare(left.server, right.server) || compare(left.tool, right.tool)

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** Digits that a hash begins with; more where even the hashed names meet. */
const firstDigits = 8

/**
 * Plain names where they are free. In rounds, whoever is in a clash takes the next longer name; names only grow, so
 * the rounds end, and they look at sets only, so the order of tools says nothing.
 */
const distinctNames = (tools: ReadonlyArray<ServerTool>): ReadonlyArray<NamedTool> => {
  let named = tools.map((one) => {
    const name = plainName(one)
    return name.length > exposedNameLimit ? hashedFrom(one, firstDigits) : { ...one, name, digits: 0 }
  })
  for (;;) {
    const users = countBy(named.map(({ name }) => name.toLowerCase()))
    const clashes = (one: { readonly name: string; readonly digits: number }): boolean =>
      (users.get(one.name.toLowerCase()) ?? 0) > 1 && one.digits < digestDigits
    if (!named.some(clashes)) break
    named = named.map((one) => (clashes(one) ? hashedFrom(one, one.digits === 0 ? firstDigits : one.digits + 8) : one))
  }
  return named.map(({ name, server, tool }) => ({ server, tool, name }))
}

const hashedFrom = ({ server, tool }: ServerTool, digits: number) => ({
  server,
  tool,
  digits,
  name: hashedName({ server, tool }, digits)
})

const countBy = (keys: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** A builtin and an authored tool of one name. */
const ownCollision = ({ authored, builtin }: NamingInput): NameCollision | null => {
  const builtins = new Map(builtin.map((name) => [name.toLowerCase(), name]))
  for (const name of [...authored].sort(compare)) {
    const other = builtins.get(name.toLowerCase())
    if (other !== undefined) return collision(name, builtinProvenance(other), authoredProvenance(name))
  }
  return null
}

/** A tool of a server under a name that a builtin or an authored tool has. */
const outsideCollision = (names: ReadonlyArray<NamedTool>, input: NamingInput): NameCollision | null => {
  const others = new Map<string, string>()
  for (const name of input.authored) others.set(name.toLowerCase(), authoredProvenance(name))
  for (const name of input.builtin) others.set(name.toLowerCase(), builtinProvenance(name))
  for (const { name, server } of names) {
    const other = others.get(name.toLowerCase())
    if (other !== undefined) return collision(name, other, `mcp:agent/mcp/${visible(server)}.yaml`)
  }
  return null
}

const builtinProvenance = (name: string): string => `builtin:${visible(name)}`
const authoredProvenance = (name: string): string => `authored:agent/tools/${visible(name)}`

const collision = (name: string, left: string, right: string): NameCollision => ({
  outcome: "collision",
  name,
  message: `${left} and ${right} have the name ${visible(name)}: ${collisionRemedy(left, right)}`
})

/** What helps where two sources bring one name. */
const collisionRemedy = (left: string, right: string): string =>
  [left, right].some((provenance) => provenance.startsWith("authored:"))
    ? "rename the authored tool, or drop the toolset of the builtin or exclude the server's tool"
    : "rename the server's file, or exclude its tool or drop the toolset"
