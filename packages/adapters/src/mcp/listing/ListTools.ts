/** All pages of `tools/list`, within bounds. A list that is not whole is no list. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Peer } from "../protocol/Peer.ts"
import { PeerFailure } from "../protocol/PeerFailure.ts"
import { judgeTool } from "./JudgeTool.ts"
import type { ListedTool, RefusedTool, ToolNote } from "./ListedTool.ts"

/** Design, numbers: pages of one list, and tools of one server. */
export const pageLimit = 64
export const toolLimit = 10_000

/** UTF-16 units of a cursor. */
const cursorLimit = 4_096

export interface ToolList {
  readonly tools: ReadonlyArray<ListedTool>
  readonly refused: ReadonlyArray<RefusedTool>
  readonly notes: ReadonlyArray<ToolNote>
}

/**
 * Asks page by page. Fails where the server never comes to an end, or answers with something else than a list. `masked`
 * takes out of the list what no model, pin or catalog may see; undefined where it cannot tell.
 */
export const listTools = Effect.fnUntraced(function* (peer: Peer, masked: (list: ToolList) => ToolList | undefined) {
  const tools: Array<ListedTool> = []
  const refused: Array<RefusedTool> = []
  const notes: Array<ToolNote> = []
  const cursors = new Set<string>()
  let entries = 0
  let cursor: string | null = null
  for (let page = 1; ; page++) {
    const result: Readonly<Record<string, unknown>> = yield* peer.request(
      "tools/list",
      cursor === null ? {} : { cursor }
    )
    const listed = result["tools"]
    if (!Array.isArray(listed)) return yield* unlistable("answered tools/list without a list of tools")
    entries += listed.length
    if (entries > toolLimit) return yield* unlistable(`lists more than ${toolLimit} tools`)
    for (const entry of listed) {
      const judged = judgeTool(entry)
      if (Either.isLeft(judged)) refused.push(judged.left)
      else {
        tools.push(judged.right.tool)
        notes.push(...judged.right.notes)
      }
    }
    const next = result["nextCursor"]
    if (next === undefined || next === null || next === "") {
      return masked({ tools, refused, notes }) ?? (yield* unlistable("lists tools that cannot be searched"))
    }
    if (typeof next !== "string") return yield* unlistable("gave a cursor that is no text")
    if (next.length > cursorLimit) return yield* unlistable(`gave a cursor of more than ${cursorLimit} characters`)
    if (cursors.has(next)) return yield* unlistable("gave the same cursor twice, so its list has no end")
    if (page >= pageLimit) return yield* unlistable(`lists more than ${pageLimit} pages`)
    cursors.add(next)
    cursor = next
  }
})

const unlistable = (what: string): PeerFailure =>
  new PeerFailure({ reason: "broken", message: `the server ${what}`, sent: true })
