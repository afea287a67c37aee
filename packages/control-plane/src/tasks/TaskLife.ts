/** The life of one task as its own host writes it: begun, said something, ended once. */
import { boundedText } from "@gatehouse/core/BoundedText"
import type { PrincipalId, SessionId, TaskId, TurnId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Change } from "../Change.ts"
import type { Hosts } from "../hosts/Hosts.ts"
import { news } from "../internal/News.ts"
import { decodeRows } from "../internal/StoreFaults.ts"
import { integer } from "../Row.ts"
import type { StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { type LogStep, type LogStream, makeTaskLog } from "./TaskLog.ts"
import {
  endTask,
  insertChunk,
  insertTask,
  keptSummaryLimit,
  metadataLimit,
  selectOwnTask,
  type TaskEndStatus,
  taskWordLimit,
  toTask,
  trimLog,
  writeScopeLimit
} from "./TaskRows.ts"

export interface TaskStart {
  readonly session: SessionId
  readonly turn: TurnId | null
  readonly kind: string
  readonly tool: string
  /** Redacted, as all that is kept; cut at 8,000 characters. */
  readonly summary: string
  /** Empty claims nothing; a second active task with the same one is refused. */
  readonly writeScope: string
  /** Names and ids for people, 65,536 characters as JSON at most. */
  readonly metadata: Json
}

export interface TaskEnd {
  readonly status: TaskEndStatus
  /** Null leaves the summary as it is. */
  readonly summary: string | null
  readonly resultReference: string | null
  readonly returnCode: number | null
  readonly exitReason: string | null
}

/** The right to write one task, held by the host that started it. */
export interface TaskLease {
  readonly owner: PrincipalId
  readonly id: TaskId
  readonly session: SessionId
  readonly turn: TurnId | null
  readonly kind: string
  readonly fence: number
}

export class TaskRefused extends Data.TaggedError("TaskRefused")<{
  readonly reason: "write_scope" | "metadata"
  readonly message: string
  readonly remedy: string
}> {}

export interface TaskOutput {
  /** Where chunks go, in order. An error means that output is no longer kept: end the tree, then say so. */
  readonly write: (stream: LogStream, text: string) => Effect.Effect<void, StoreError>
  /** What is left without a line's end. */
  readonly flush: Effect.Effect<void, StoreError>
}

/** Milliseconds between two looks for what another process did to a task. */
export const taskPollMillis = 200

export const startTask = Effect.fnUntraced(function* (
  store: StoreShape,
  hosts: Context.Tag.Service<Hosts>,
  scope: PrincipalScope,
  start: TaskStart,
  id: TaskId
) {
  const { session, turn, summary, writeScope } = start
  const metadata = JSON.stringify(start.metadata)
  if (metadata.length > metadataLimit) return yield* metadataTooLarge(metadata.length)
  if (writeScope.length > writeScopeLimit) return yield* writeScopeTooLong(writeScope.length)
  const now = yield* Clock.currentTimeMillis
  const kind = boundedText(start.kind, taskWordLimit)
  const tool = boundedText(start.tool, taskWordLimit)
  const bounded = boundedText(summary, keptSummaryLimit)
  const begun = { owner: scope.id, id, session, turn, kind }
  const row = [scope.id, id, session, turn, kind, tool, bounded, writeScope, metadata, hosts.id, hosts.id, now, now]
  const insert = Effect.flatMap(
    store.write({
      statements: [insertTask(...row)],
      events: [taskEvent("task.started", begun, now, { tool })],
      eventsIf: 0
    }),
    ([rows]) => decodeRows(store.location, rows, (found): TaskLease => ({ ...begun, fence: integer(found, "fence") }))
  )
  yield* hosts.join
  const [lease] = yield* insert
  if (lease !== undefined) return lease
  // A task of a dead host may still hold the write scope.
  yield* hosts.sweep
  const [second] = yield* insert
  if (second !== undefined) return second
  return yield* writeScopeTaken
})

export const taskOutput = (store: StoreShape, lease: TaskLease): TaskOutput => {
  const log = makeTaskLog()
  const keep = (step: LogStep) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { owner, id, fence } = lease
      const inserts = step.chunks.map((chunk) => insertChunk(owner, id, fence, chunk, now))
      const statements = step.removeUpTo === 0 ? inserts : [...inserts, trimLog(owner, id, step.removeUpTo)]
      return statements.length === 0 ? Effect.void : store.post({ statements })
    })
  return {
    write: (stream, text) => Effect.suspend(() => keep(log.push(stream, text))),
    flush: Effect.suspend(() => keep(log.flush()))
  }
}

/** An ended task has nothing left to cancel: whoever waits here is let go too. */
export const cancelRequested = (store: StoreShape, lease: TaskLease): Effect.Effect<void, StoreError> =>
  Effect.flatMap(store.read(selectOwnTask(lease.owner, lease.id), toTask), ([task]) =>
    task === undefined || task.endedAt !== null || task.cancelRequestedAt !== null
      ? Effect.void
      : Effect.zipRight(news(store, taskPollMillis), cancelRequested(store, lease))
  )

export const endOnce = Effect.fnUntraced(function* (store: StoreShape, lease: TaskLease, end: TaskEnd) {
  const { status, resultReference, returnCode, exitReason } = end
  const now = yield* Clock.currentTimeMillis
  const summary = end.summary === null ? null : boundedText(end.summary, keptSummaryLimit)
  const reference = resultReference === null ? null : boundedText(resultReference, writeScopeLimit)
  const reason = exitReason === null ? null : boundedText(exitReason, keptSummaryLimit)
  return yield* changed(
    store,
    [endTask(status, summary, reference, returnCode, reason, now, now, lease.owner, lease.id, lease.fence)],
    [taskEvent("task.ended", lease, now, { status, returnCode })]
  )
})

/** Writes; whether the first statement touched a row. Events are written only if it did. */
export const changed = (
  store: StoreShape,
  statements: Change["statements"],
  events: ReadonlyArray<RuntimeEvent> = []
): Effect.Effect<boolean, StoreError> =>
  Effect.map(store.write({ statements, events, eventsIf: 0 }), ([rows]) => (rows?.length ?? 0) > 0)

export const taskEvent = (
  type: string,
  { id, session, turn, kind }: Pick<TaskLease, "id" | "session" | "turn" | "kind">,
  at: number,
  data: { readonly [key: string]: Json }
): RuntimeEvent => ({ type, session, turn, call: null, at, data: { task: id, kind, ...data } })

const metadataTooLarge = (length: number): TaskRefused =>
  new TaskRefused({
    reason: "metadata",
    message: `metadata: is ${length} characters as JSON, ${metadataLimit} are kept at most`,
    remedy: "keep names and ids there, and the rest in an artifact"
  })

const writeScopeTooLong = (length: number): TaskRefused =>
  new TaskRefused({
    reason: "write_scope",
    message: `write_scope: is ${length} characters long, ${writeScopeLimit} are taken at most`,
    remedy: "name a shorter one"
  })

const writeScopeTaken = new TaskRefused({
  reason: "write_scope",
  message: "write_scope: an active task has the same one",
  remedy: "wait for that task or cancel it, then start this one"
})
