/** One server of a session that is open, with the entries that were made of it. */
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { visible } from "@gatehouse/catalog/manifests/ManifestFault"
import type { SourceDiagnostic, SourceEntry } from "@gatehouse/core/EffectSource"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type CallServices, callEntry } from "../calls/CallEntry.ts"
import type { ListedTool } from "../listing/ListedTool.ts"
import type { ToolList } from "../listing/ListTools.ts"
import type { PinBook, PinReport } from "../pins/PinBook.ts"
import type { Connection } from "./Connection.ts"

interface MadeEntry {
  readonly name: string
  readonly tool: ListedTool
  readonly change: string | null
  readonly entry: SourceEntry
}

export class ServerSlot {
  readonly connection: Connection
  private readonly scope: Scope.CloseableScope
  private readonly made = new Map<string, MadeEntry>()
  private changes: ReadonlyMap<string, string> = new Map()
  private pinFault: string | null = null
  private before: number | null = null
  private coreRoot = ""
  private checked: ToolList | null = null

  constructor(connection: Connection, scope: Scope.CloseableScope) {
    this.connection = connection
    this.scope = scope
  }

  get declaration(): McpDeclaration {
    return this.connection.declaration
  }

  /** Whether it can be used as it is: open, and its tools are those that were listed. */
  get isFresh(): boolean {
    return this.connection.isOpen && !this.connection.isStale
  }

  get close(): Effect.Effect<void> {
    return Scope.close(this.scope, Exit.void)
  }

  /** Remembers how many tools there were, before they are asked for again. */
  rememberCount(): void {
    this.before = this.connection.tools.tools.length
  }

  /** Whether its list is yet to be held against what was accepted. */
  get isUnchecked(): boolean {
    return this.checked !== this.connection.tools
  }

  /** What came of that. */
  checkedBy({ changes, fault }: PinReport, coreRoot: string): void {
    this.checked = this.connection.tools
    this.coreRoot = coreRoot
    this.changes = changes
    this.pinFault = fault
  }

  /** A changed tool that somebody let be called is accepted as it is now. */
  acceptCalled(book: PinBook, tool: string): void {
    if (!this.changes.has(tool)) return
    const called = this.connection.tools.tools.filter(({ name }) => name === tool)
    if (book.accept(this.coreRoot, this.declaration.server, called)) this.accepted()
  }

  /** Accepts every definition as it is now; false where that could not be kept. */
  acceptAll(book: PinBook): boolean {
    const kept = book.accept(this.coreRoot, this.declaration.server, this.connection.tools.tools)
    if (kept) this.accepted()
    return kept
  }

  private accepted(): void {
    this.checked = null
    // The next turn shows the tool without the difference.
    this.connection.markStale()
  }

  /** The tools that can be offered: with `strict`, only those that are what they were. */
  offered(pin: "warn" | "strict"): ReadonlyArray<ListedTool> {
    const { tools } = this.connection.tools
    return pin === "strict" ? tools.filter(({ name }) => !this.changes.has(name)) : tools
  }

  /** The entry of `tool` under `name`: the same object while nothing about it changes. */
  entry(name: string, tool: ListedTool, services: CallServices): SourceEntry {
    const change = this.changes.get(tool.name) ?? null
    const known = this.made.get(tool.name)
    if (known?.tool === tool && known.name === name && known.change === change) return known.entry
    const entry = callEntry(this.connection, { name, tool, change }, services)
    this.made.set(tool.name, { name, tool, change, entry })
    return entry
  }

  diagnostics(pin: "warn" | "strict"): ReadonlyArray<SourceDiagnostic> {
    const { file, server } = this.declaration
    const { notes, refused, tools } = this.connection.tools
    const about = (severity: "warning" | "error", message: string, remedy: string): SourceDiagnostic => ({
      subject: file,
      severity,
      message: `${server}: ${message}`,
      remedy
    })
    const { count, samples } = this.connection.skipped
    return [
      ...refused
        .slice(0, shownLimit)
        .map(({ reason, tool }) => about("error", `tool ${tool} is left out: ${reason}`, authorsTurn)),
      ...(refused.length > shownLimit
        ? [about("error", `${refused.length - shownLimit} more tools are left out`, authorsTurn)]
        : []),
      ...notes.slice(0, shownLimit).map(({ note, tool }) => about("warning", `tool ${tool}: ${note}`, authorsTurn)),
      ...[...this.changes].map(([tool, change]) =>
        about(
          pin === "strict" ? "error" : "warning",
          `tool ${tool} has changed${pin === "strict" ? " and is withheld" : ""}:\n${change}`,
          pin === "strict"
            ? `look at the change; \`gatehouse mcp approve ${server}\` accepts it`
            : "look at the change before you approve a call"
        )
      ),
      ...(this.pinFault === null
        ? []
        : [about("warning", this.pinFault, "see to the file, then start the turn again")]),
      ...(tools.length === 0 && refused.length === 0
        ? [
            about(
              "warning",
              this.before !== null && this.before > 0
                ? `lists no tools any more; it had ${this.before}`
                : "lists no tools",
              "look at the server's own set-up; gatehouse mcp logs shows what it wrote"
            )
          ]
        : []),
      ...(count === 0
        ? []
        : [
            about(
              "warning",
              `wrote ${count} ${count === 1 ? "line" : "lines"} that are no messages to standard output, skipped: ${samples.map((sample) => `"${visible(sample)}"`).join(", ")}`,
              "a server writes logs to standard error; report it to its author"
            )
          ])
    ]
  }
}

/** Diagnostics of one kind about one server. */
const shownLimit = 50

const authorsTurn = "report it to the author of the server"
