/**
 * Ends what is left of hosts of this home that were killed, and nothing else. Processes are recognised by the mark that
 * this home's key has signed, and leaders whose environment was cleared by pid and start marker in the records.
 */

import type { KeyObject } from "node:crypto"
import { SpawnId } from "@gatehouse/core/Identifiers"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { sameLimits } from "../identity/LimitMark.ts"
import { fateOf, markOf, markVariable, readMark } from "../identity/SpawnMark.ts"
import { ProcessError } from "../ProcessError.ts"
import type { SweepReport, SweptProcess } from "../Processes.ts"
import type { ProcessStatus, ProcessTable } from "../table/ProcessTable.ts"
import { endTree } from "../tree/EndTree.ts"
import { census, type ProcessTree } from "../tree/ProcessTree.ts"
import {
  type HostRecords,
  readHostRecords,
  removeRecords,
  type SpawnRecord,
  writeReport
} from "./SpawnRecords.boundary.ts"

export interface SweepContext {
  readonly table: ProcessTable
  readonly key: KeyObject
  readonly folder: string
  readonly ownGroup: number
  /** Tells apart several owners in one process. */
  readonly instance: string
}

const graceMillis = 250
const treesAtOnce = 16
/** Units of the table by which the moment of a record may be too late. */
const tolerance = 2
/** How long the start that a host did not survive may take to show its mark, and how often it is looked for. */
const startMillis = 200
const looks = 10

/** Null where no dead host left records: then nothing of its can run, for records are made before the first start. */
export const sweepHome = Effect.fnUntraced(function* (context: SweepContext) {
  const { table, key, folder } = context
  const left = yield* attempt(() => readHostRecords(folder).filter(({ host }) => fateOf(host, table) === "dead"))
  if (left.length === 0) return null

  let remains = look(table, key, left)
  for (let again = 0; again < looks && remains.awaited > 0; again++) {
    yield* Effect.sleep(startMillis / looks)
    remains = look(table, key, left)
  }

  const spare = ownLine(table)
  const reports = yield* Effect.forEach(remains.trees, (it) => endRemains(context, spare, it), {
    concurrency: treesAtOnce
  })
  const ended = reports.flatMap((report) => report.ended)
  const survivors = [...reports.flatMap((report) => report.survivors), ...inOwnLine(context, spare, remains.trees)]
  const haunted = new Set(survivors.map(({ spawnId }) => spawnId))
  const clean = left.filter(({ records }) => !records.some(({ spawnId }) => haunted.has(spawnId)))
  const report: SweepReport = { at: yield* Clock.currentTimeMillis, ended, survivors }
  const isEmpty = ended.length === 0 && survivors.length === 0
  yield* attempt(() => {
    if (!isEmpty) writeReport(folder, report, context.instance)
    for (const { path } of clean) removeRecords(path)
  })
  return isEmpty ? null : report
})

/** A tree that a dead host left, with what its record says. */
interface Remains {
  readonly tree: ProcessTree
  readonly label: string | null
}

/** Processes that carry the mark of one spawn, as they were when they were seen. */
interface Marked {
  readonly mark: string
  readonly known: Map<number, string>
}

/** `awaited`: starts that were written down, whose mark is not to be seen (yet). */
const look = (table: ProcessTable, key: KeyObject, left: ReadonlyArray<HostRecords>) => {
  const marked = new Map<string, Marked>()
  for (const pid of table.pids()) {
    const mark = table.variable(pid, markVariable)
    const read = mark === null ? null : readMark(key, mark)
    if (mark === null || read === null || fateOf(read.owner, table) !== "dead") continue
    const status = table.status(pid)
    const seen = marked.get(read.spawnId) ?? { mark, known: new Map() }
    if (status !== null) seen.known.set(pid, status.start)
    marked.set(read.spawnId, seen)
  }
  const trees: Array<Remains> = []
  let awaited = 0
  for (const { host, records } of left) {
    const taken = new Set(records.map(({ pid }) => pid))
    for (const record of records) {
      const { label, spawnId } = record
      const seen = marked.get(spawnId) ?? {
        mark: markOf(key, { spawnId: SpawnId(spawnId), owner: host }),
        known: new Map()
      }
      marked.delete(spawnId)
      if (seen.known.size > 0 || runs(table, record)) {
        trees.push({ tree: treeOf(spawnId, seen, record), label })
      } else if (record.pid === null) {
        const leaders = leadersFor(table, key, record, taken)
        if (leaders.length === 0) awaited += 1
        trees.push(...leaders.map((leader) => ({ tree: treeOf(spawnId, seen, leader), label })))
      }
    }
  }
  for (const [spawnId, seen] of marked) trees.push({ tree: treeOf(spawnId, seen, null), label: null })
  return { trees, awaited }
}

/**
 * For a start that its host did not survive: who can be the child. It leads a session, was born after the record was
 * made, and has inherited its host's limits. Between the record and its death, which came within one step of the
 * program, the host started nothing else; so whoever fits is of this host's trees.
 */
const leadersFor = (
  table: ProcessTable,
  key: KeyObject,
  record: SpawnRecord,
  taken: ReadonlySet<number | null>
): ReadonlyArray<SpawnRecord> => {
  const { begunAt, limits } = record
  if (begunAt === null || limits === null) return []
  return table.pids().flatMap((pid) => {
    const status = taken.has(pid) ? null : table.status(pid)
    if (status === null || status.gone || status.pid !== status.session || status.startedAt < begunAt - tolerance)
      return []
    const own = table.limits(pid)
    if (own === null || !sameLimits(own, limits)) return []
    // What carries a mark is looked for by it.
    const mark = table.variable(pid, markVariable)
    if (mark !== null && readMark(key, mark) !== null) return []
    return [{ ...record, pid, start: status.start, startedAt: status.startedAt }]
  })
}

const runs = (table: ProcessTable, record: SpawnRecord): boolean => {
  const status = record.pid === null ? null : table.status(record.pid)
  return status !== null && !status.gone && status.start === record.start
}

const treeOf = (spawnId: string, seen: Marked, record: SpawnRecord | null): ProcessTree => ({
  spawnId,
  leader: record?.pid ?? 0,
  start: record?.start ?? null,
  startedAt: record?.startedAt ?? 0,
  mark: seen.mark,
  // What carried the mark when it was looked at may have cleared its environment since.
  known: seen.known,
  leaderEndedAt: null
})

const endRemains = Effect.fnUntraced(function* (
  context: SweepContext,
  spare: ReadonlySet<number>,
  { tree, label }: Remains
) {
  const { table, ownGroup } = context
  const before = census(table, tree, table.pids(), spare).live
  const { survivors } = yield* endTree({
    table,
    tree,
    graceMillis,
    leaderExited: () => table.status(tree.leader)?.start !== tree.start,
    pids: table.pids,
    ownGroup,
    spare
  })
  const swept = ({ pid, name }: ProcessStatus): SweptProcess => ({ pid, name, spawnId: tree.spawnId, label })
  const stays = new Set(survivors.map(({ pid }) => pid))
  return {
    ended: before.filter(({ pid }) => !stays.has(pid)).map(swept),
    survivors: survivors.map((status) => ({ ...swept(status), why: "it could not be ended" }))
  }
})

/**
 * The host and its parents. They are never ended by the host itself, even where it was started inside a tree that an
 * earlier host left.
 */
const ownLine = (table: ProcessTable): ReadonlySet<number> => {
  const line = new Set<number>()
  for (let pid = table.self; pid > 0 && !line.has(pid); pid = table.status(pid)?.parent ?? 0) line.add(pid)
  return line
}

const inOwnLine = ({ table }: SweepContext, spare: ReadonlySet<number>, trees: ReadonlyArray<Remains>) =>
  trees.flatMap(({ tree, label }) =>
    [...spare].flatMap((pid) => {
      const status = table.variable(pid, markVariable) === tree.mark ? table.status(pid) : null
      if (status === null) return []
      return [{ pid, name: status.name, spawnId: tree.spawnId, label, why: "this host itself runs inside it" }]
    })
  )

const attempt = <A>(work: () => A): Effect.Effect<A, ProcessError> =>
  Effect.try({
    try: work,
    catch: (error) =>
      new ProcessError({
        reason: "record",
        message: `the records of earlier hosts cannot be read or removed (${error instanceof Error ? error.message : "unknown"})`,
        remedy: "Make the folder processes of the Gatehouse home readable and writable",
        spawned: false,
        exit: null
      })
  })
