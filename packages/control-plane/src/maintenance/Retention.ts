/**
 * What is kept for how long. Only what has ended goes; sessions and their messages go when somebody removes them. The
 * event log is cut at its start, which its chain remembers, so that what is left can still be verified.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { chainEnds, eventPage, selectUpTo, toEvent } from "../events/EventRows.ts"
import { type Statement, statement } from "../Statement.ts"
import type { StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"

export interface RetentionSettings {
  /** Days that events are kept. */
  readonly eventDays: number
  /** Events that are kept at most, whatever their age. */
  readonly eventCount: number
  /** Days after their end that calls, answered approvals and tasks with their logs are kept. */
  readonly recordDays: number
}

export const defaultRetention: RetentionSettings = { eventDays: 90, eventCount: 1_000_000, recordDays: 90 }

/** Rows that went. */
export interface Pruned {
  readonly events: number
  readonly effects: number
  readonly approvals: number
  readonly tasks: number
}

/** Rows that go in one transaction at most, so that nobody waits long for the writer. */
const slice = 500

const dayMillis = 86_400_000

/** Removes what `settings` no longer keep. May be run while hosts work, by several at once. */
export const applyRetention = (store: StoreShape, settings: RetentionSettings): Effect.Effect<Pruned, StoreError> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = now - settings.recordDays * dayMillis
    const events = yield* pruneEvents(store, now - settings.eventDays * dayMillis, settings.eventCount)
    const effects = yield* whileAny(store, deleteEffects(before, slice))
    const approvals = yield* whileAny(store, deleteApprovals(before, before, slice))
    const tasks = yield* whileAny(store, deleteTasks(before, slice))
    yield* store.write({ statements: [deleteHosts(now - dayMillis)] })
    return { events, effects, approvals, tasks }
  })

/** A prefix goes: the first event that is kept keeps all that follow, whatever a changed clock wrote on them. */
const pruneEvents = (store: StoreShape, before: number, count: number): Effect.Effect<number, StoreError> =>
  Effect.gen(function* () {
    const { start, end } = yield* chainEnds(store)
    const page = yield* store.read(selectUpTo(start.position, end.position, eventPage), toEvent)
    const kept = page.findIndex(({ at, position }) => at >= before && position > end.position - count)
    const going = kept === -1 ? page : page.slice(0, kept)
    const last = going.at(-1)
    if (last === undefined) return 0
    const [moved] = yield* store.write({
      statements: [
        moveStart(last.position, last.hash, start.position),
        keepSequences(last.position, start.position),
        deleteEvents()
      ]
    })
    // Another host cut first: its work counts there.
    if (moved?.length !== 1) return 0
    return going.length + (kept === -1 ? yield* pruneEvents(store, before, count) : 0)
  })

const whileAny = (store: StoreShape, deletion: Statement): Effect.Effect<number, StoreError> =>
  Effect.flatMap(store.write({ statements: [deletion] }), ([rows]) => {
    const gone = rows?.length ?? 0
    return gone < slice ? Effect.succeed(gone) : Effect.map(whileAny(store, deletion), (more) => gone + more)
  })

const moveStart = statement(
  "UPDATE event_chain SET start_position = ?, start_hash = ? WHERE id = 1 AND start_position = ? RETURNING id"
)
const keepSequences = statement(
  `INSERT INTO event_streams (session, sequence)
   SELECT session, max(sequence) FROM events WHERE position <= ? AND position > ? GROUP BY session
   ON CONFLICT (session) DO UPDATE SET sequence = excluded.sequence WHERE excluded.sequence > event_streams.sequence`
)
const deleteEvents = statement(
  "DELETE FROM events WHERE position <= (SELECT start_position FROM event_chain WHERE id = 1)"
)
const deleteEffects = statement(
  `DELETE FROM effects WHERE position IN (SELECT position FROM effects WHERE settled_at < ? LIMIT ?) RETURNING position`
)
const deleteApprovals = statement(
  `DELETE FROM approvals WHERE (owner, id) IN (
     SELECT owner, id FROM approvals WHERE deadline < ? AND coalesce(answered_at, deadline) < ? LIMIT ?
   ) RETURNING id`
)
const deleteTasks = statement(
  `DELETE FROM tasks WHERE (owner, id) IN (SELECT owner, id FROM tasks WHERE ended_at < ? LIMIT ?) RETURNING id`
)
/** The newest stays: fences go on from it. */
const deleteHosts = statement("DELETE FROM hosts WHERE ended_at < ? AND fence < (SELECT max(fence) FROM hosts)")
