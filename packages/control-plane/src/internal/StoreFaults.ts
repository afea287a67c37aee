/** What was thrown while a store was used, as an error that says what to do. */
import * as Effect from "effect/Effect"
import type { Row } from "../Row.ts"
import { RowFault } from "../Row.ts"
import { StoreError, type StoreErrorReason } from "../StoreError.ts"

/** The file at the path of the store is another one now, or none. */
export class VanishedFile extends Error {}

/** The file is something else than a store. */
export class ForeignFile extends Error {}

/** Rows that a change gave back, decoded; a column that is not what the schema says is an error, no defect. */
export const decodeRows = <A>(
  location: string,
  rows: ReadonlyArray<Row> | undefined,
  decode: (row: Row) => A
): Effect.Effect<ReadonlyArray<A>, StoreError> =>
  Effect.try({ try: () => (rows ?? []).map(decode), catch: (cause) => storeErrorOf(location, cause) })

/** What was thrown while the store at `path` was used, as an error with a remedy. */
export const storeErrorOf = (path: string, cause: unknown): StoreError => {
  if (cause instanceof StoreError) return cause
  const reason = reasonOf(cause)
  const said = cause instanceof Error ? ` (${codeOf(cause) ?? cause.message})` : ""
  return new StoreError({
    reason,
    message: `the store ${path} ${sentences[reason].says}${said}`,
    remedy: sentences[reason].remedy
  })
}

/** Whether another process holds the file: worth another try. */
export const isBusy = (cause: unknown): boolean => reasonOf(cause) === "locked"

/** Whether only the one statement failed, and its transaction goes on. */
export const isRowFault = (cause: unknown): boolean => {
  const code = codeOf(cause) ?? ""
  return code.startsWith("SQLITE_CONSTRAINT") || code === "SQLITE_TOOBIG" || code === "SQLITE_MISMATCH"
}

export const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined

const reasonOf = (cause: unknown): StoreErrorReason => {
  if (cause instanceof ForeignFile || cause instanceof RowFault) return "corrupt"
  if (cause instanceof VanishedFile) return "missing"
  const code = codeOf(cause) ?? ""
  return reasons.find(([prefix]) => code.startsWith(prefix))?.[1] ?? "failed"
}

/** By the beginning of SQLite's extended result codes (https://www.sqlite.org/rescode.html) and of errno names. */
const reasons: ReadonlyArray<readonly [string, StoreErrorReason]> = [
  ["SQLITE_BUSY", "locked"],
  ["SQLITE_LOCKED", "locked"],
  ["SQLITE_CORRUPT", "corrupt"],
  ["SQLITE_NOTADB", "corrupt"],
  ["SQLITE_READONLY_DBMOVED", "missing"],
  ["SQLITE_READONLY", "read_only"],
  ["SQLITE_PERM", "read_only"],
  ["SQLITE_AUTH", "read_only"],
  ["SQLITE_CANTOPEN", "missing"],
  ["SQLITE_FULL", "full"],
  ["SQLITE_IOERR_SHMSIZE", "full"],
  ["SQLITE_CONSTRAINT", "conflict"],
  ["ENOENT", "missing"],
  ["ENOTDIR", "missing"],
  ["ELOOP", "corrupt"],
  ["EISDIR", "corrupt"],
  ["EACCES", "read_only"],
  ["EPERM", "read_only"],
  ["EROFS", "read_only"],
  ["ENOSPC", "full"],
  ["EDQUOT", "full"]
]

const sentences: Readonly<Record<StoreErrorReason, { readonly says: string; readonly remedy: string }>> = {
  missing: {
    says: "is not there",
    remedy: "name a home that exists with --home or GATEHOUSE_HOME, and start the host again"
  },
  corrupt: {
    says: "is damaged, or is no store of Gatehouse; it was left as it is",
    remedy: "restore a backup, or have the file moved aside and start with an empty store"
  },
  locked: {
    says: "is held by another process",
    remedy: "try again; `gatehouse doctor` names the hosts that use this home"
  },
  read_only: {
    says: "may not be written",
    remedy: "give this user write access to the home and its files, or name another home"
  },
  full: {
    says: "cannot grow: its disk is full",
    remedy: "free some space on the disk of the home; nothing was changed"
  },
  newer_schema: { says: "was written by a newer Gatehouse", remedy: "use that version, or another home" },
  conflict: { says: "holds a row that rules this one out", remedy: "look at what is there already" },
  closed: { says: "was closed", remedy: "start the host again" },
  failed: { says: "could not be used", remedy: "`gatehouse doctor` looks for what is wrong with the home" }
}

/** The file's schema is one that this Gatehouse does not know. */
export const newerSchema = (path: string, found: number, known: number): StoreError =>
  new StoreError({
    reason: "newer_schema",
    message: `the store ${path} has schema ${found}, this Gatehouse knows ${known} and none after it`,
    remedy: sentences.newer_schema.remedy
  })

/** The file is only looked at, and so it is not brought to this schema. */
export const olderSchema = (path: string, found: number, known: number): StoreError =>
  new StoreError({
    reason: "failed",
    message: `the store ${path} has schema ${found}, this Gatehouse reads ${known}`,
    remedy: "place it in a home and start a host there: that brings it to this schema"
  })

/** The store was closed before it could answer. */
export const closedStore = (path: string): StoreError =>
  new StoreError({ reason: "closed", message: `the store ${path} was closed`, remedy: sentences.closed.remedy })

/** What would be overwritten is left as it is. */
export const fileExists = (path: string): StoreError =>
  new StoreError({
    reason: "conflict",
    message: `${path} exists already and was left as it is`,
    remedy: "name a file that does not exist yet, or have this one moved aside"
  })
