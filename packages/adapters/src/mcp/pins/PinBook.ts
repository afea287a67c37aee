/** The pins of one home, held against what servers list. */
import { fingerprint } from "@gatehouse/core/Fingerprint"
import type { ListedTool } from "../listing/ListedTool.ts"
import { readPins, writePins } from "./PinFile.boundary.ts"
import { changeOf, pinOf, type ServerPins } from "./Pins.ts"

/** Characters of definitions that are kept of one server; with more, only their fingerprints are. */
const serverCharacters = 512 * 1024

export interface PinReport {
  /** What is different, by original name. */
  readonly changes: ReadonlyMap<string, string>
  /** The file could not be read or written: nothing can be said about changes. */
  readonly fault: string | null
}

/** A server and what it lists now. */
export interface ListedServer {
  readonly server: string
  readonly tools: ReadonlyArray<ListedTool>
}

export class PinBook {
  private readonly home: string

  constructor(home: string) {
    this.home = home
  }

  /** Pins what is seen for the first time, and tells what is not what it was; all servers of a turn at once. */
  check(coreRoot: string, servers: ReadonlyArray<ListedServer>): ReadonlyArray<PinReport> {
    const book = readPins(this.home)
    if (book === "unreadable") return servers.map(() => ({ changes: new Map(), fault: unreadable }))
    let isChanged = false
    const changes = servers.map(({ server, tools }) => {
      const key = keyOf(coreRoot, server)
      const known = book.get(key) ?? new Map()
      const fresh = tools.filter(({ name }) => !known.has(name))
      if (fresh.length > 0) {
        isChanged = true
        book.set(key, withPins(known, fresh))
      }
      return changesOf(known, tools)
    })
    const fault = !isChanged || writePins(this.home, book) ? null : unwritable
    return changes.map((of) => ({ changes: of, fault }))
  }

  /** The definitions of these tools are what they are from now on. */
  accept(coreRoot: string, server: string, tools: ReadonlyArray<ListedTool>): boolean {
    const book = readPins(this.home)
    if (book === "unreadable") return false
    const key = keyOf(coreRoot, server)
    book.set(key, withPins(book.get(key) ?? new Map(), tools))
    return writePins(this.home, book)
  }
}

const changesOf = (known: ServerPins, tools: ReadonlyArray<ListedTool>): ReadonlyMap<string, string> => {
  const changes = new Map<string, string>()
  for (const tool of tools) {
    const pin = known.get(tool.name)
    const change = pin === undefined ? null : changeOf(pin, tool)
    if (change !== null) changes.set(tool.name, change)
  }
  return changes
}

const withPins = (known: ServerPins, tools: ReadonlyArray<ListedTool>): ServerPins => {
  const pins = new Map(known)
  let room = serverCharacters
  for (const tool of tools) {
    const pin = pinOf(tool)
    room -= pin.definition === undefined ? 0 : JSON.stringify(pin.definition).length
    pins.set(tool.name, room < 0 ? { fingerprint: pin.fingerprint } : pin)
  }
  return pins
}

/** Two cores may both have a server of one name. */
const keyOf = (coreRoot: string, server: string): string => `${fingerprint(coreRoot).slice(0, 16)}/${server}`

const unreadable = "mcp-pins.json of the home cannot be read, so changed definitions are not noticed"
const unwritable = "mcp-pins.json of the home cannot be written, so definitions are not remembered"
