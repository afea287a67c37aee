/** A store on SQLite: one connection, its writer, and reads that see what is committed. Loaded when a store is opened. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Change, ChangeRows, Durability } from "../../Change.ts"
import type { Row } from "../../Row.ts"
import type { Statement } from "../../Statement.ts"
import type { StoreShape } from "../../Store.ts"
import { StoreError } from "../../StoreError.ts"
import { closedStore, storeErrorOf } from "../StoreFaults.ts"
import { backUp } from "./Backup.boundary.ts"
import { type Connection, openFile, openMemory, openReadOnly } from "./Connection.boundary.ts"
import { type GroupWriter, makeGroupWriter } from "./GroupWriter.boundary.ts"
import { migrate, requireCurrent } from "./Migrate.boundary.ts"

/** Milliseconds that a group waits for another process inside SQLite, before the turn is given back. */
const turnTimeoutMillis = 20

/** Opens the store file at `path`, or a store in memory where it is null; its scope closes it. */
export const openSqlite = (path: string | null, now: number): Effect.Effect<StoreShape, StoreError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.try({ try: () => open(path, now), catch: (cause) => storeErrorOf(path ?? ":memory:", cause) }),
      (opened) => Effect.sync(() => shut(opened))
    ),
    toStore
  )

/** Opens the store file at `path` for reading only; what it does not know is refused, what is older too. */
export const openSqliteReadOnly = (path: string): Effect.Effect<StoreShape, StoreError, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.try({ try: () => openToRead(path), catch: (cause) => storeErrorOf(path, cause) }),
      (opened) => Effect.sync(() => shut(opened))
    ),
    toStore
  )

const openToRead = (path: string): Opened => {
  const connection = openReadOnly(path)
  try {
    requireCurrent(connection)
  } catch (error) {
    connection.close()
    throw error
  }
  return { connection, writer: makeGroupWriter(connection, () => undefined), listeners: new Set(), closed: false }
}

interface Opened {
  readonly connection: Connection
  readonly writer: GroupWriter
  readonly listeners: Set<() => void>
  closed: boolean
}

const open = (path: string | null, now: number): Opened => {
  const connection = path === null ? openMemory() : openFile(path)
  try {
    migrate(connection, now)
    connection.busyTimeout(turnTimeoutMillis)
  } catch (error) {
    connection.close()
    throw error
  }
  const listeners = new Set<() => void>()
  const writer = makeGroupWriter(connection, () => {
    for (const listener of listeners) listener()
  })
  return { connection, writer, listeners, closed: false }
}

const shut = (opened: Opened): void => {
  opened.writer.close()
  opened.closed = true
  opened.connection.close()
}

const toStore = (opened: Opened): StoreShape => {
  const { connection, writer, listeners } = opened
  const whileOpen = <A>(use: () => A): Effect.Effect<A, StoreError> =>
    Effect.suspend(() => {
      if (opened.closed) return Effect.fail(closedStore(connection.path))
      try {
        return Effect.succeed(use())
      } catch (cause) {
        return Effect.fail(storeErrorOf(connection.path, cause))
      }
    })
  const read = <A>(statement: Statement, decode: (row: Row) => A) =>
    whileOpen(() => connection.all(statement).map(decode))
  const write = (change: Change, durability: Durability = "disk"): Effect.Effect<ChangeRows, StoreError> =>
    Effect.uninterruptible(
      Effect.async<ChangeRows, StoreError>((resume) =>
        writer.write(change, durability, (result) =>
          resume(result instanceof StoreError ? Effect.fail(result) : Effect.succeed(result))
        )
      )
    )
  // The way of every look-up by owner and id: written out, because each closure here can be measured.
  const first = <A>(statement: Statement, decode: (row: Row) => A): Effect.Effect<A | null, StoreError> =>
    Effect.suspend(() => {
      if (opened.closed) return Effect.fail(closedStore(connection.path))
      try {
        const row = connection.first(statement)
        return Effect.succeed(row === undefined ? null : decode(row))
      } catch (cause) {
        return Effect.fail(storeErrorOf(connection.path, cause))
      }
    })
  return {
    location: connection.path,
    read,
    first,
    write,
    post: (change) =>
      Effect.suspend(() => (writer.post(change) ? Effect.void : Effect.asVoid(write(change, "process")))),
    nextCommit: Effect.async<void>((resume) => {
      const listener = (): void => {
        listeners.delete(listener)
        resume(Effect.void)
      }
      listeners.add(listener)
      return Effect.sync(() => listeners.delete(listener))
    }),
    counts: Effect.sync(writer.counts),
    backup: (destination) =>
      Effect.tryPromise({
        try: () => backUp(connection, destination),
        catch: (cause) => storeErrorOf(destination, cause)
      }),
    integrity: whileOpen(() => connection.all(integrityCheck).map((row) => String(row["integrity_check"])))
  }
}

const integrityCheck: Statement = { text: "PRAGMA integrity_check(20)", values: [] }
