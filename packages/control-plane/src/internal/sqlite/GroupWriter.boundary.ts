/**
 * The one writer of a SQLite store. Changes that are asked for while others are on their way are written together, in
 * one transaction and one synchronisation of the disk: a commit for each would cost some fifteen times as much.
 *
 * A group is written without leaving JavaScript's turn, so that nothing else of this process sees half of one. It takes
 * the write lock at once (BEGIN IMMEDIATE) and waits for other processes by trying again, not by holding up the turn.
 */
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import type { Change, ChangeRows, Durability } from "../../Change.ts"
import type { Row } from "../../Row.ts"
import { type Statement, statement } from "../../Statement.ts"
import type { StoreCounts } from "../../Store.ts"
import { lockPatienceMillis, StoreError } from "../../StoreError.ts"
import { closedStore, isBusy, isRowFault, storeErrorOf } from "../StoreFaults.ts"
import { ChainWriter } from "./ChainWriter.ts"
import type { Connection } from "./Connection.boundary.ts"

/** Rows, or why nothing of the change was written. */
export type ChangeResult = ChangeRows | StoreError

export interface GroupWriter {
  /** Written with the next group when `done` is called; on the disk, where it is to be. */
  readonly write: (change: Change, durability: Durability, done: (result: ChangeResult) => void) => void
  /**
   * Written with the next group, or a moment later alone; nobody waits. False where it was not taken, because the
   * last group could not be written or too many are waiting: then it has to be waited for.
   */
  readonly post: (change: Change) => boolean
  /** Counts since the writer was made. */
  readonly counts: () => StoreCounts
  /** Writes what is waiting and takes no more. */
  readonly close: () => void
}

/** Changes in one transaction at most: bounds the time that one group holds up the turn. */
const groupLimit = 512

/** Changes that nobody waits for and that may be queued; beyond it the asker waits. */
const postedLimit = 1_024

/** Milliseconds that a change which nobody waits for may stay alone. */
const postDelayMillis = 5

/** Milliseconds between two tries to get the write lock. */
const retryMillis = 5

/** Milliseconds that the file, once it was seen at its path, is taken to be there. */
const presenceMillis = 5

interface Job {
  readonly change: Change
  readonly durability: Durability
  readonly done: ((result: ChangeResult) => void) | null
}

export const makeGroupWriter = (connection: Connection, onCommit: () => void): GroupWriter => {
  const chain = new ChainWriter(connection)
  let queue: Array<Job> = []
  let waiting = 0
  let immediate: NodeJS.Immediate | null = null
  let timer: NodeJS.Timeout | null = null
  let busySince: number | null = null
  let presentAt = -presenceMillis
  let closed = false
  let broken = false
  const counts = { groups: 0, synchronised: 0, changes: 0, events: 0, lostEvents: 0 }

  const soon = (): void => {
    // While another process holds the lock, the timer of the next try is the one that writes.
    if (immediate !== null || busySince !== null) return
    immediate = setImmediate(flush)
  }

  const later = (millis: number): void => {
    if (timer === null) timer = setTimeout(flush, millis)
  }

  const flush = (): void => {
    if (immediate !== null) clearImmediate(immediate)
    if (timer !== null) clearTimeout(timer)
    immediate = null
    timer = null
    if (queue.length > 0) writeNext()
    if (queue.length === 0) return
    if (busySince !== null) later(retryMillis)
    else soon()
  }

  const writeNext = (): void => {
    const group = queue.length <= groupLimit ? queue : queue.slice(0, groupLimit)
    const outcome = attempt(group)
    if (outcome === "busy") return
    queue = queue.length === group.length ? [] : queue.slice(group.length)
    busySince = null
    broken = outcome instanceof StoreError
    if (!broken) onCommit()
    for (let index = 0; index < group.length; index++) {
      const job = group[index]
      if (job !== undefined) settle(job, outcome instanceof StoreError ? outcome : (outcome[index] ?? []))
    }
  }

  const settle = ({ change, done }: Job, result: ChangeResult): void => {
    const eventCount = change.events?.length ?? 0
    if (!(result instanceof StoreError)) counts.events += eventCount
    else if (done === null) counts.lostEvents += eventCount
    if (done === null) return
    waiting -= 1
    done(result)
  }

  /** Results in the order of the group; an error where nothing of the group was written. */
  const attempt = (group: ReadonlyArray<Job>): ReadonlyArray<ChangeResult> | StoreError | "busy" => {
    try {
      const durable = group.some((job) => job.durability === "disk")
      if (durable && performance.now() - presentAt > presenceMillis) {
        connection.confirmPresent()
        presentAt = performance.now()
      }
      connection.synchronous(durable ? "FULL" : "NORMAL")
      connection.all(begin)
      chain.begin()
      const results = group.map((job) => apply(job.change))
      chain.end()
      connection.all(commit)
      chain.committed()
      counts.groups += 1
      if (durable) counts.synchronised += 1
      counts.changes += group.length
      return results
    } catch (cause) {
      rollBack()
      if (!isBusy(cause)) return storeErrorOf(connection.path, cause)
      busySince ??= performance.now()
      if (performance.now() - busySince < lockPatienceMillis && !closed) return "busy"
      return storeErrorOf(connection.path, cause)
    }
  }

  /** A change that breaks a rule fails alone; whatever else goes wrong ends the group. */
  const apply = (change: Change): ChangeResult => {
    const [first, second] = change.statements
    const events = change.events ?? noEvents
    const mark = events.length === 0 ? null : chain.mark()
    // One statement is whole by itself.
    const savepointed = (first !== undefined && events.length > 0) || second !== undefined || events.length > 1
    if (savepointed) connection.all(savepoint)
    try {
      const rows =
        first !== undefined && second === undefined
          ? [connection.all(first)]
          : change.statements.map((part): ReadonlyArray<Row> => connection.all(part))
      if (change.eventsIf === undefined || (rows[change.eventsIf]?.length ?? 0) > 0) {
        for (const event of events) chain.append(event)
      }
      if (savepointed) connection.all(release)
      return rows
    } catch (cause) {
      if (!isRowFault(cause) || !connection.inTransaction()) throw cause
      if (savepointed) {
        connection.all(undo)
        connection.all(release)
      }
      if (mark !== null) chain.reset(mark)
      return storeErrorOf(connection.path, cause)
    }
  }

  const rollBack = (): void => {
    chain.forget()
    // SQLite has rolled back by itself after some faults (a full disk, say).
    if (connection.inTransaction()) connection.all(rollback)
  }

  return {
    write: (change, durability, done) => {
      if (closed) return done(closedStore(connection.path))
      queue.push({ change, durability, done })
      waiting += 1
      soon()
    },
    post: (change) => {
      if (closed || broken || queue.length - waiting >= postedLimit) return false
      queue.push({ change, durability: "process", done: null })
      later(postDelayMillis)
      return true
    },
    counts: () => ({ ...counts }),
    close: () => {
      closed = true
      while (queue.length > 0) writeNext()
      flush()
    }
  }
}

const noEvents: ReadonlyArray<RuntimeEvent> = []

const plain = (text: string): Statement => statement(text)()
const begin = plain("BEGIN IMMEDIATE")
const commit = plain("COMMIT")
const rollback = plain("ROLLBACK")
const savepoint = plain("SAVEPOINT change")
const release = plain("RELEASE change")
const undo = plain("ROLLBACK TO change")
