/**
 * The one place that touches better-sqlite3: a connection with its pragmas, statements that are prepared once, and what
 * the database says as {@link StoreError}. Everything here is synchronous and throws; the callers are the group writer
 * and the reader.
 */

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  lstatSync,
  openSync,
  type Stats,
  statSync
} from "node:fs"
import { dirname } from "node:path"
import Database from "better-sqlite3"
import type { Row } from "../../Row.ts"
import type { Statement } from "../../Statement.ts"
import { codeOf, ForeignFile, VanishedFile } from "../StoreFaults.ts"

export interface Connection {
  readonly path: string
  /** Rows of a query, or of a change with RETURNING; none of another change. */
  readonly all: (statement: Statement) => ReadonlyArray<Row>
  /** The first row of a query. */
  readonly first: (statement: Statement) => Row | undefined
  /** Several statements without values or rows. */
  readonly execute: (sql: string) => void
  readonly inTransaction: () => boolean
  /** Changes when another connection has committed. */
  readonly dataVersion: () => number
  /** `FULL`: a commit is on the disk when it returns. `NORMAL`: it survives this process, not a power cut. */
  readonly synchronous: (level: "FULL" | "NORMAL") => void
  /** Milliseconds that a statement waits for another process. */
  readonly busyTimeout: (millis: number) => void
  /** Throws where the file of this connection is no longer the one at its path. */
  readonly confirmPresent: () => void
  readonly backup: (destination: string) => Promise<void>
  readonly close: () => void
}

/** Written into the file's header, so that another program's database is not taken for a store: "Gate". */
const applicationId = 0x47617465

/** Opens, and makes where it is missing, the store file at `path`; mode 0600 whatever the umask. Throws. */
export const openFile = (path: string): Connection => {
  const identity = prepareFile(path)
  const connection = configure(path, new Database(path, { timeout: 5_000 }), identity.size)
  return {
    ...connection,
    confirmPresent: () => {
      const now = statSync(path)
      if (now.ino !== identity.ino || now.dev !== identity.dev) throw new VanishedFile()
    }
  }
}

/** A store that is gone with its connection. */
export const openMemory = (): Connection => configure(":memory:", new Database(":memory:"), 0)

/** For a look at a file that is not changed, a backup say. Throws. */
export const openReadOnly = (path: string): Connection => {
  // The library says nothing that could be told apart of a folder that is missing.
  statSync(path)
  return wrap(path, new Database(path, { readonly: true, fileMustExist: true }))
}

/** Makes the store at `path`, which nobody uses, one file that can be read without side files. */
export const makeSelfContained = (path: string): void => {
  const database = new Database(path)
  try {
    database.pragma("journal_mode = DELETE")
  } finally {
    database.close()
  }
}

/**
 * What stands at `path` is a regular file that this process may write, in a folder that it may write; SQLite gives its
 * side files the same mode. The file is not opened here where it exists: closing it would release the locks that
 * another connection of this process holds on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
const prepareFile = (path: string): Stats => {
  accessSync(dirname(path), constants.W_OK | constants.X_OK)
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) create(path)
  const stats = lstatSync(path)
  if (!stats.isFile()) throw new ForeignFile("it is no regular file")
  accessSync(path, constants.R_OK | constants.W_OK)
  if ((stats.mode & 0o777) !== 0o600) chmodSync(path, 0o600)
  return stats
}

/** Another process may be first: its file is as good. */
const create = (path: string): void => {
  try {
    const descriptor = openSync(path, "wx", 0o600)
    fchmodSync(descriptor, 0o600)
    closeSync(descriptor)
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error
  }
}

const configure = (path: string, database: Database.Database, size: number): Connection => {
  try {
    const owner = database.pragma("application_id", { simple: true })
    const empty = database.pragma("page_count", { simple: true }) === 0
    // SQLite takes a file of a few bytes for an empty one, and would write over it.
    if (empty && size > 0) throw new ForeignFile("it is no database")
    if (!empty && owner !== applicationId && owner !== 0) throw new ForeignFile("another program wrote it")
    database.pragma("journal_mode = WAL")
    database.pragma("synchronous = FULL")
    database.pragma("foreign_keys = ON")
    database.pragma("trusted_schema = OFF")
    // A write-ahead log that one large transaction has blown up is cut back afterwards.
    database.pragma("journal_size_limit = 67108864")
    if (empty) database.pragma(`application_id = ${applicationId}`)
    return wrap(path, database)
  } catch (error) {
    database.close()
    throw error
  }
}

const wrap = (path: string, database: Database.Database): Connection => {
  const prepared = new Map<string, Database.Statement<Array<unknown>, Row>>()
  const prepare = (sql: string): Database.Statement<Array<unknown>, Row> => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const made = database.prepare<Array<unknown>, Row>(sql)
    prepared.set(sql, made)
    return made
  }
  let level: "FULL" | "NORMAL" | null = null
  const readDataVersion = prepare("PRAGMA data_version").pluck()
  return {
    path,
    all: ({ text, values }) => {
      const statement = prepare(text)
      if (statement.reader) return statement.all(...values)
      statement.run(...values)
      return []
    },
    first: ({ text, values }) => prepare(text).get(...values),
    execute: (sql) => void database.exec(sql),
    inTransaction: () => database.inTransaction,
    // A plucked row is its first column.
    dataVersion: () => Number(readDataVersion.get()),
    synchronous: (wanted) => {
      if (wanted === level) return
      database.pragma(`synchronous = ${wanted}`)
      level = wanted
    },
    busyTimeout: (millis) => void database.pragma(`busy_timeout = ${millis}`),
    confirmPresent: () => undefined,
    backup: async (destination) => void (await database.backup(destination)),
    close: () => void database.close()
  }
}
