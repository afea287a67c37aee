/** Events as rows of the table `events`, and the ends of their chain. */
import { CallId, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Effect from "effect/Effect"
import { integer, nullableText, type Row, text } from "../Row.ts"
import { type Statement, statement } from "../Statement.ts"
import type { StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { type ChainedEvent, type ChainHead, chainStart } from "./EventChain.ts"

/** Which events; all that are given must fit. */
export interface EventQuery {
  readonly session?: SessionId
  readonly call?: CallId
  /** Only events behind this position; 0 is the start. */
  readonly after?: number
}

/** Events in one page at most. */
export const eventPage = 500

/** Where the chain begins (what retention took before it is gone by intention) and where it ends. */
export interface ChainEnds {
  readonly start: ChainHead
  readonly end: ChainHead
}

export const chainEnds = (store: StoreShape): Effect.Effect<ChainEnds, StoreError> =>
  Effect.map(
    store.read(selectChain(), (row) => ({
      start: { position: integer(row, "start_position"), hash: text(row, "start_hash") },
      end: { position: integer(row, "end_position"), hash: text(row, "end_hash") }
    })),
    ([ends]) => ends ?? { start: chainStart, end: chainStart }
  )

/** A page, oldest first: everything for an operator, events of own sessions for a user. */
export const selectEvents = (scope: PrincipalScope, query: EventQuery, limit: number): Statement => {
  const wheres = ["position > ?"]
  const values: Array<string | number> = [query.after ?? 0]
  if (query.session !== undefined) {
    wheres.push("session = ?")
    values.push(query.session)
  }
  if (query.call !== undefined) {
    // No index has calls: it would cost every event. The call's record knows its session, which has one.
    wheres.push(
      "call = ? AND session IN (SELECT session FROM effects WHERE owner IN (SELECT id FROM principals) AND call = ?)"
    )
    values.push(query.call, query.call)
  }
  if (scope.kind === "user") {
    wheres.push("session IN (SELECT id FROM sessions WHERE owner = ?)")
    values.push(scope.id)
  }
  const most = Math.max(0, Math.min(Math.trunc(limit), eventPage))
  return statement(`${columns} WHERE ${wheres.join(" AND ")} ORDER BY position LIMIT ?`)(...values, most)
}

export const toEvent = (row: Row): ChainedEvent => {
  const turn = nullableText(row, "turn")
  const call = nullableText(row, "call")
  return {
    position: integer(row, "position"),
    session: SessionId(text(row, "session")),
    sequence: integer(row, "sequence"),
    turn: turn === null ? null : TurnId(turn),
    call: call === null ? null : CallId(call),
    type: text(row, "type"),
    at: integer(row, "at"),
    data: text(row, "data"),
    hash: text(row, "hash")
  }
}

const columns = "SELECT position, session, sequence, turn, call, type, at, data, hash FROM events"
/** Behind a position, up to another one, this many. */
export const selectUpTo = statement(`${columns} WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`)
const selectChain = statement("SELECT start_position, start_hash, end_position, end_hash FROM event_chain WHERE id = 1")
/** Positions of events outside their chain: nobody appended them. */
export const selectStrays = statement(
  `SELECT events.position FROM events, event_chain
   WHERE events.position > event_chain.end_position OR events.position <= event_chain.start_position LIMIT 1`
)
