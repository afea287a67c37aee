/** The tools of a catalog as an MCP client is told of them: deterministic pages, annotations of the host's own judgement. */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { CatalogId } from "@gatehouse/core/Identifiers"
import type { JsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"

/** MCP `Tool` (2025-11-25, server/tools), as far as the host has something to say. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly annotations: {
    /** Judged by policy: an upstream server's own claim never counts. */
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly openWorldHint: boolean
  }
}

export interface ToolPage {
  readonly tools: ReadonlyArray<ListedTool>
  readonly nextCursor?: string
}

/** Tools in one answer. */
export const toolsInPage = 200

/** What pages are cut from: the entries of one catalog, and its id. */
export interface Listing {
  readonly id: CatalogId
  readonly entries: ReadonlyArray<EffectEntry>
}

/** The page of `listing` that `cursor` names (none: the first), or why there is none. */
export const toolPage = (listing: Listing, cursor: string | undefined): Either.Either<ToolPage, string> => {
  const start = cursor === undefined ? 0 : startOf(listing, cursor)
  if (start === null)
    return Either.left("cursor: it is of another list, or none of this endpoint's; list from the start")
  const end = start + toolsInPage
  const tools = listing.entries.slice(start, end).map(listed)
  return Either.right(end < listing.entries.length ? { tools, nextCursor: `${mark(listing)}.${end}` } : { tools })
}

/** Whether a client would be told the same of both. */
export const isSameList = (left: Listing, right: Listing): boolean =>
  left.id === right.id || JSON.stringify(left.entries.map(listed)) === JSON.stringify(right.entries.map(listed))

const startOf = (listing: Listing, cursor: string): number | null => {
  const [id, at, ...more] = cursor.split(".")
  const start = /^\d{1,9}$/.test(at ?? "") ? Number(at) : null
  return id === mark(listing) && more.length === 0 && start !== null && start < listing.entries.length ? start : null
}

/** Tells catalogs apart within one session; whole ids are longer than a cursor should be. */
const mark = ({ id }: Listing): string => id.replace(/[^A-Za-z0-9]/g, "").slice(-16)

const listed = ({ description, inputSchema, name, readOnly, risk, source }: EffectEntry): ListedTool => ({
  name,
  description,
  inputSchema,
  annotations: {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly && risk !== "low",
    openWorldHint: source === "mcp" || name === "web_extract"
  }
})
