/**
 * The calls of a store with what is needed to judge them again: for tools of the person whose store it is, which may
 * have been opened for reading only.
 */
import * as Effect from "effect/Effect"
import { nullableText, type Row, text } from "../Row.ts"
import { statement } from "../Statement.ts"
import type { StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { type EffectRecord, effectColumns, toRecord } from "./EffectRows.ts"

export interface StoredCall extends EffectRecord {
  /** Of its principal; the id where there is no name. */
  readonly principal: string
  /** Folder of the core that its session was made over; null where that is not known. */
  readonly coreRoot: string | null
}

/** Calls in one read; every process of the store can write between two. */
const page = 500

/** Calls that ended, or began and have no end, at `since` (milliseconds since the epoch) or later; newest first. */
export const storedCalls = (store: StoreShape, since: number): Effect.Effect<ReadonlyArray<StoredCall>, StoreError> => {
  const from = (before: number): Effect.Effect<ReadonlyArray<StoredCall>, StoreError> =>
    Effect.flatMap(store.read(select(since, since, before, page), toCall), (found) => {
      const last = found.at(-1)
      return found.length < page || last === undefined
        ? Effect.succeed(found)
        : Effect.map(from(last.position), (more) => [...found, ...more])
    })
  return from(Number.MAX_SAFE_INTEGER)
}

const toCall = (row: Row): StoredCall => ({
  ...toRecord(row),
  principal: nullableText(row, "principal") ?? text(row, "owner"),
  coreRoot: nullableText(row, "core_root")
})

const select = statement(
  `SELECT ${effectColumns},
     (SELECT name FROM principals WHERE principals.id = effects.owner) AS principal,
     (SELECT core_root FROM sessions WHERE sessions.owner = effects.owner AND sessions.id = effects.session) AS core_root
   FROM effects
   WHERE (settled_at >= ? OR (settled_at IS NULL AND begun_at >= ?)) AND position < ?
   ORDER BY position DESC LIMIT ?`
)
