/**
 * What happened, in order, kept: every event of the runtime in one chain ({@link EventChain}), numbered without gaps in
 * its session. Publishing does not wait for the disk; reading sees what is committed, by whatever process.
 */
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { type RuntimeEvent, RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { news } from "../internal/News.ts"
import { Principals, type ScopeRefused } from "../principals/Principals.ts"
import { Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import type { ChainedEvent, ChainHead, ChainVerdict } from "./EventChain.ts"
import { chainEnds, type EventQuery, eventPage, selectEvents, selectUpTo, toEvent } from "./EventRows.ts"
import { verifyChain } from "./VerifyChain.ts"

/** Milliseconds between two looks for what other processes wrote. */
export const eventPollMillis = 200

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
    readonly follow: (
      scope: PrincipalScope,
      query: EventQuery
    ) => Stream.Stream<ChainedEvent, ScopeRefused | StoreError>
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
      const { onBehalfOf, requireOperator } = yield* Principals
      const read = (scope: PrincipalScope, query: EventQuery, limit = eventPage) =>
        onBehalfOf(scope, () => store.read(selectEvents(scope, query, limit), toEvent))
      const shared = sharedPages((after) => store.read(selectUpTo(after, Number.MAX_SAFE_INTEGER, eventPage), toEvent))
      const follow = (scope: PrincipalScope, query: EventQuery) => (after: number) =>
        scope.kind === "operator" && query.session === undefined && query.call === undefined
          ? onBehalfOf(scope, () => shared(after))
          : read(scope, { ...query, after })
      return {
        publish: (event) => store.post({ statements: [], events: [event] }),
        read,
        follow: (scope, query) => pages(follow(scope, query), query, Option.some(news(store, eventPollMillis))),
        export: (scope, query) =>
          Stream.map(
            pages((after) => read(scope, { ...query, after }), query, Option.none()),
            exportLine
          ),
        head: Effect.map(chainEnds(store), ({ end }) => end),
        verify: (scope) => Effect.zipRight(requireOperator(scope), verifyChain(store))
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

/** Pages that are remembered for other followers: those at the end of the log want the same ones. */
const rememberedPages = 8

/** Pages of the whole log, read once for all who follow it. Events do not change, so a page stays what it is. */
const sharedPages = <E>(read: (after: number) => Page<E>): ((after: number) => Page<E>) => {
  const known = new Map<number, ReadonlyArray<ChainedEvent>>()
  const remember = (after: number, page: ReadonlyArray<ChainedEvent>): Effect.Effect<void> =>
    Effect.sync(() => {
      if (page.length > 0) known.set(after, page)
      const [oldest] = known.keys()
      if (known.size > rememberedPages && oldest !== undefined) known.delete(oldest)
    })
  return (after) =>
    Effect.suspend(() => {
      const page = known.get(after)
      return page === undefined ? Effect.tap(read(after), (found) => remember(after, found)) : Effect.succeed(page)
    })
}

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
