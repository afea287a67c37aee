/**
 * What happened, in order, kept: every event of the runtime in one chain ({@link EventChain}), numbered without gaps in
 * its session. Publishing does not wait for the disk; reading sees what is committed, by whatever process.
 */
import { CallId, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { type RuntimeEvent, RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Principals, type ScopeRefused } from "../principals/Principals.ts"
import { integer, nullableText, type Row, text } from "../Row.ts"
import { type Statement, statement } from "../Statement.ts"
import { Store, type StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { type ChainedEvent, type ChainHead, chainStart, type ChainVerdict, walkChain } from "./EventChain.ts"

/** Which events; all that are given must fit. */
export interface EventQuery {
  readonly session?: SessionId
  readonly call?: CallId
  /** Only events behind this position; 0 is the start. */
  readonly after?: number
}

/** Events in one page at most. */
export const eventPage = 500

/** Milliseconds between two looks for what other processes wrote. */
export const eventPollMillis = 200

/** Milliseconds that a follower lets events gather before it reads on. */
const gatherMillis = 20

export class EventLog extends Context.Tag("@gatehouse/control-plane/EventLog")<
  EventLog,
  {
    /** Appends without waiting for the disk; waits where the writer is behind. */
    readonly publish: (event: RuntimeEvent) => Effect.Effect<void, StoreError>
    /** A page, oldest first: everything for an operator, events of own sessions for a user. */
    readonly read: (
      scope: PrincipalScope,
      query: EventQuery,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<ChainedEvent>, ScopeRefused | StoreError>
    /** What is there, and then what comes, until the reader stops. Holds one page at most. */
    readonly follow: (scope: PrincipalScope, query: EventQuery) => Stream.Stream<ChainedEvent, ScopeRefused | StoreError>
    /** What is there, and then an end: one JSON text a line with {@link exportLine}. */
    readonly export: (scope: PrincipalScope, query: EventQuery) => Stream.Stream<string, ScopeRefused | StoreError>
    /** End of the chain: noted elsewhere, it shows later that nothing before it has changed. */
    readonly head: Effect.Effect<ChainHead, StoreError>
    /** Walks the whole chain. Operators only. */
    readonly verify: (scope: PrincipalScope) => Effect.Effect<ChainVerdict, ScopeRefused | StoreError>
  }
>() {
  static readonly layer: Layer.Layer<EventLog, never, Store | Principals> = Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const store = yield* Store
      const principals = yield* Principals
      const read = (scope: PrincipalScope, query: EventQuery, limit = eventPage) =>
        Effect.zipRight(principals.require(scope), store.read(select(scope, query, limit), toEvent))
      return {
        publish: (event) => store.post({ statements: [], events: [event] }),
        read,
        follow: (scope, query) => pages((after) => read(scope, { ...query, after }), query, Option.some(news(store))),
        export: (scope, query) =>
          Stream.map(
            pages((after) => read(scope, { ...query, after }), query, Option.none()),
            exportLine
          ),
        head: Effect.map(chainEnds(store), ({ end }) => end),
        verify: (scope) => Effect.zipRight(principals.requireOperator(scope), verify(store))
      }
    })
  )

  /** The runtime's port. An event that cannot be written is counted by the store; effects fail closed at their intent. */
  static readonly layerRuntimeEvents: Layer.Layer<RuntimeEvents, never, EventLog> = Layer.effect(
    RuntimeEvents,
    Effect.map(EventLog, (log) => ({ publish: (event) => Effect.ignoreLogged(log.publish(event)) }))
  )
}

/** An event as a line of an export, without its line break. Fields in this order; `data` is nested JSON. */
export const exportLine = ({ data, ...event }: ChainedEvent): string =>
  `${JSON.stringify(event).slice(0, -1)},"data":${data}}`

type Page<E> = Effect.Effect<ReadonlyArray<ChainedEvent>, E>

/** Page by page. Where nothing is left: waits with `whenDry` and looks again, or ends. */
const pages = <E>(
  read: (after: number) => Page<E>,
  query: EventQuery,
  whenDry: Option.Option<Effect.Effect<void>>
): Stream.Stream<ChainedEvent, E> => {
  const next = (after: number): Page<E> =>
    Effect.flatMap(read(after), (page) =>
      page.length > 0 || Option.isNone(whenDry) ? Effect.succeed(page) : Effect.zipRight(whenDry.value, next(after))
    )
  return Stream.paginateChunkEffect(query.after ?? 0, (after) =>
    Effect.map(next(after), (page) => [
      Chunk.unsafeFromArray(page),
      Option.map(Option.fromNullable(page.at(-1)), ({ position }) => position)
    ])
  )
}

/** Something was written here, or may have been written elsewhere; some more may have come along. */
const news = (store: StoreShape): Effect.Effect<void> =>
  Effect.zipRight(Effect.raceFirst(store.nextCommit, Effect.sleep(eventPollMillis)), Effect.sleep(gatherMillis))

/** What is appended while it walks is left to the next walk; where retention cuts meanwhile, it walks again. */
const verify = (store: StoreShape): Effect.Effect<ChainVerdict, StoreError> =>
  Effect.gen(function* () {
    const { start, end } = yield* chainEnds(store)
    const walk = walkChain(start)
    const read = (after: number) => store.read(selectUpTo(after, end.position, eventPage), toEvent)
    yield* Stream.runForEachChunk(pages(read, { after: start.position }, Option.none()), (page) =>
      Effect.zipRight(
        Effect.sync(() => Chunk.forEach(page, walk.visit)),
        Effect.yieldNow()
      )
    )
    const now = yield* chainEnds(store)
    return now.start.position === start.position ? walk.finish(end) : yield* verify(store)
  })

const chainEnds = (store: StoreShape) =>
  Effect.map(
    store.read(selectChain(), (row) => ({
      start: { position: integer(row, "start_position"), hash: text(row, "start_hash") },
      end: { position: integer(row, "end_position"), hash: text(row, "end_hash") }
    })),
    ([ends]) => ends ?? { start: chainStart, end: chainStart }
  )

const select = (scope: PrincipalScope, query: EventQuery, limit: number): Statement => {
  const wheres = ["position > ?"]
  const values: Array<string | number> = [query.after ?? 0]
  if (query.session !== undefined) {
    wheres.push("session = ?")
    values.push(query.session)
  }
  if (query.call !== undefined) {
    wheres.push("call = ?")
    values.push(query.call)
  }
  if (scope.kind === "user") {
    wheres.push("session IN (SELECT id FROM sessions WHERE owner = ?)")
    values.push(scope.id)
  }
  const most = Math.max(0, Math.min(Math.trunc(limit), eventPage))
  return statement(`${columns} WHERE ${wheres.join(" AND ")} ORDER BY position LIMIT ?`)(...values, most)
}

const toEvent = (row: Row): ChainedEvent => {
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
const selectUpTo = statement(`${columns} WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`)
const selectChain = statement("SELECT start_position, start_hash, end_position, end_hash FROM event_chain WHERE id = 1")
