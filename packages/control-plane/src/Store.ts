/**
 * The durable store of a host: a SQLite file in its home. Everything else of this package keeps its rows here.
 *
 * Writes go through one writer with group commit. `write` waits until its rows are on the disk (they survive a power
 * cut); `post` does not wait (its rows survive this process once they are written, some milliseconds later). A change
 * is written whole or not at all.
 */

import { join } from "node:path"
import { Home } from "@gatehouse/core/Home"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Change, ChangeRows, Durability } from "./Change.ts"
import { loadSqlite } from "./internal/sqlite/LoadSqlite.boundary.ts"
import type { Row } from "./Row.ts"
import type { Statement } from "./Statement.ts"
import type { StoreError } from "./StoreError.ts"

/** Counts since the store was opened. */
export interface StoreCounts {
  /** Transactions written. */
  readonly groups: number
  /** Of these, the ones that waited for the disk. */
  readonly synchronised: number
  readonly changes: number
  readonly events: number
  /** Events that nobody waited for and that could not be written. */
  readonly lostEvents: number
}

export interface StoreShape {
  /** Path of the file, or `:memory:`. */
  readonly location: string
  /** Rows that are committed, each decoded; a decoder that throws a `RowFault` makes the read `corrupt`. */
  readonly read: <A>(statement: Statement, decode: (row: Row) => A) => Effect.Effect<ReadonlyArray<A>, StoreError>
  /** The first of them, or null. */
  readonly first: <A>(statement: Statement, decode: (row: Row) => A) => Effect.Effect<A | null, StoreError>
  /** Writes and waits: for the disk, unless told otherwise. Not interruptible: a write that was accepted has an answer. */
  readonly write: (change: Change, durability?: Durability) => Effect.Effect<ChangeRows, StoreError>
  /** Writes without waiting; waits after all where too much is queued or the last group could not be written. */
  readonly post: (change: Change) => Effect.Effect<void, StoreError>
  /** Ends after the next commit of this process; other processes' commits are not seen here. */
  readonly nextCommit: Effect.Effect<void>
  readonly counts: Effect.Effect<StoreCounts>
  /** Copies the store, while it is used, to a file that does not exist yet (mode 0600). */
  readonly backup: (destination: string) => Effect.Effect<void, StoreError>
  /** `["ok"]`, or what SQLite's integrity check found. Reads the whole file. */
  readonly integrity: Effect.Effect<ReadonlyArray<string>, StoreError>
}

/** Name of the store's file in a home. */
export const storeFileName = "store.db"

export class Store extends Context.Tag("@gatehouse/control-plane/Store")<Store, StoreShape>() {
  /** The store of the home; made where it is missing, brought to this schema where it is older. */
  static readonly layer: Layer.Layer<Store, StoreError, Home> = Layer.scoped(
    Store,
    Effect.flatMap(Home, ({ root }) => open(join(root, storeFileName)))
  )

  /** The store at `path`, for tools that look at one outside a home. */
  static readonly layerFile = (path: string): Layer.Layer<Store, StoreError> => Layer.scoped(Store, open(path))

  /** The store at `path` as it is, changed by nothing: a backup, say. Writes fail as `read_only`. */
  static readonly layerReadOnly = (path: string): Layer.Layer<Store, StoreError> =>
    Layer.scoped(
      Store,
      Effect.flatMap(loadSqlite, ({ openSqliteReadOnly }) => openSqliteReadOnly(path))
    )

  /** The same schema and statements, gone with the process. */
  static readonly layerMemory: Layer.Layer<Store, StoreError> = Layer.scoped(
    Store,
    Effect.suspend(() => open(null))
  )
}

const open = (path: string | null) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { openSqlite } = yield* loadSqlite
    return yield* openSqlite(path, now)
  })
