/**
 * Work that outlives the call that started it. The record is here; what runs it (a process, a fiber) stays with the host
 * that started it and in its memory only. A task ends once, whoever wants to end it, and its end is delivered once.
 */
import { boundedText } from "@gatehouse/core/BoundedText"
import { Entropy, makeIdentifier, type SessionId, TaskId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Hosts } from "../hosts/Hosts.ts"
import { news } from "../internal/News.ts"
import { Principals, type ScopeRefused } from "../principals/Principals.ts"
import { Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import {
  cancelRequested,
  changed,
  endOnce,
  startTask,
  type TaskEnd,
  type TaskLease,
  type TaskOutput,
  type TaskRefused,
  type TaskStart,
  taskEvent,
  taskOutput,
  taskPollMillis
} from "./TaskLife.ts"
import { logTail, tailLineLimit } from "./TaskLog.ts"
import {
  consumeTask,
  keptSummaryLimit,
  type LogLine,
  sealTask,
  selectAll,
  selectAllOf,
  selectLog,
  selectOfSession,
  selectPending,
  selectTail,
  selectTask,
  type TaskRecord,
  toLogLine,
  toTask,
  updateSummary
} from "./TaskRows.ts"

/** What a waiter is told. */
export interface TaskWait {
  readonly task: TaskRecord
  /** It still runs, and nothing was ended. */
  readonly timedOut: boolean
  /** This answer is the one that delivers its end. */
  readonly delivered: boolean
}

/** Tasks, or chunks of a log, in one answer at most. */
export const taskPage = 200

export class Tasks extends Context.Tag("@gatehouse/control-plane/Tasks")<
  Tasks,
  {
    readonly start: (
      scope: PrincipalScope,
      start: TaskStart
    ) => Effect.Effect<TaskLease, TaskRefused | ScopeRefused | StoreError>
    /** False where the task has ended, or is not this host's any more. */
    readonly summarise: (lease: TaskLease, summary: string) => Effect.Effect<boolean, StoreError>
    readonly output: (lease: TaskLease) => TaskOutput
    /** Ends when somebody has asked for the task's end. */
    readonly cancelRequested: (lease: TaskLease) => Effect.Effect<void, StoreError>
    /** Stores the end and one completion. False where the task has ended before: the first end counts. */
    readonly end: (lease: TaskLease, end: TaskEnd) => Effect.Effect<boolean, StoreError>

    /** Null where there is none of this scope: a foreign task and a missing one are the same answer. */
    readonly get: (scope: PrincipalScope, id: TaskId) => Effect.Effect<TaskRecord | null, ScopeRefused | StoreError>
    /** Newest first, of one session of this scope. */
    readonly ofSession: (
      scope: PrincipalScope,
      session: SessionId,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<TaskRecord>, ScopeRefused | StoreError>
    /** Newest first: own ones, and all for an operator. */
    readonly list: (
      scope: PrincipalScope,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<TaskRecord>, ScopeRefused | StoreError>
    /** Ended and not yet delivered, of one session of this scope. */
    readonly pending: (
      scope: PrincipalScope,
      session: SessionId
    ) => Effect.Effect<ReadonlyArray<TaskRecord>, ScopeRefused | StoreError>
    /** True for the one caller that delivers the end. */
    readonly consume: (scope: PrincipalScope, id: TaskId) => Effect.Effect<boolean, ScopeRefused | StoreError>
    /** Asks for the end, once: the host that runs it hears of it, wherever it is. */
    readonly requestCancel: (
      scope: PrincipalScope,
      id: TaskId
    ) => Effect.Effect<"sealed" | "already" | "ended" | "not_found", ScopeRefused | StoreError>
    /** Waits for the end, and delivers it; null where there is no such task. */
    readonly wait: (
      scope: PrincipalScope,
      id: TaskId,
      timeoutMillis: number
    ) => Effect.Effect<TaskWait | null, ScopeRefused | StoreError>
    /** Chunks behind the sequence number `after`. */
    readonly log: (
      scope: PrincipalScope,
      id: TaskId,
      after: number,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<LogLine>, ScopeRefused | StoreError>
    /** The last 40 lines, 8,000 characters. */
    readonly tail: (scope: PrincipalScope, id: TaskId) => Effect.Effect<string, ScopeRefused | StoreError>
  }
>() {
  static readonly layer: Layer.Layer<Tasks, never, Store | Hosts | Principals> = Layer.effect(
    Tasks,
    Effect.gen(function* () {
      const store = yield* Store
      const hosts = yield* Hosts
      const { onBehalfOf, require } = yield* Principals
      const entropy = yield* Entropy
      const get = (scope: PrincipalScope, id: TaskId) =>
        onBehalfOf(scope, () => store.first(selectTask(scope, id), toTask))
      const consume = (scope: PrincipalScope, id: TaskId) =>
        onBehalfOf(scope, () => changed(store, [consumeTask(scope.id, id)]))
      const waitForEnd = (
        scope: PrincipalScope,
        id: TaskId
      ): Effect.Effect<TaskRecord | null, ScopeRefused | StoreError> =>
        Effect.flatMap(get(scope, id), (task) =>
          task === null || task.endedAt !== null
            ? Effect.succeed(task)
            : Effect.zipRight(news(store, taskPollMillis), waitForEnd(scope, id))
        )
      return {
        start: Effect.fn("Tasks.start")(function* (scope: PrincipalScope, start: TaskStart) {
          yield* require(scope)
          return yield* startTask(store, hosts, scope, start, TaskId(makeIdentifier("task", entropy)))
        }),
        summarise: (lease, summary) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            changed(store, [
              updateSummary(boundedText(summary, keptSummaryLimit), now, lease.owner, lease.id, lease.fence)
            ])
          ),
        output: (lease) => taskOutput(store, lease),
        cancelRequested: (lease) => cancelRequested(store, lease),
        end: (lease, end) => endOnce(store, lease, end),
        get,
        ofSession: (scope, session, limit = taskPage) =>
          onBehalfOf(scope, () => store.read(selectOfSession(scope.id, session, page(limit)), toTask)),
        list: (scope, limit = taskPage) =>
          onBehalfOf(scope, () =>
            store.read(scope.kind === "operator" ? selectAll(page(limit)) : selectAllOf(scope.id, page(limit)), toTask)
          ),
        pending: (scope, session) =>
          onBehalfOf(scope, () => store.read(selectPending(scope.id, session, taskPage), toTask)),
        consume,
        requestCancel: Effect.fn("Tasks.requestCancel")(function* (scope: PrincipalScope, id: TaskId) {
          const task = yield* get(scope, id)
          if (task === null || task.owner !== scope.id) return "not_found"
          if (task.endedAt !== null) return "ended"
          const now = yield* Clock.currentTimeMillis
          const sealed = yield* changed(
            store,
            [sealTask(now, now, scope.id, id)],
            [taskEvent("task.cancel_requested", task, now, {})]
          )
          if (sealed) return "sealed"
          return (yield* get(scope, id))?.endedAt === null ? "already" : "ended"
        }),
        wait: Effect.fn("Tasks.wait")(function* (scope: PrincipalScope, id: TaskId, timeoutMillis: number) {
          const ended = yield* Effect.raceFirst(
            waitForEnd(scope, id),
            Effect.as(Effect.sleep(timeoutMillis), "timed_out" as const)
          )
          const task = ended === "timed_out" ? yield* get(scope, id) : ended
          if (task === null) return null
          if (task.endedAt === null) return { task, timedOut: true, delivered: false }
          const delivered = yield* consume(scope, id)
          return { task: { ...task, completion: "consumed" }, timedOut: false, delivered }
        }),
        log: (scope, id, after, limit = taskPage) =>
          onBehalfOf(scope, () => store.read(selectLog(scope, id, after, page(limit)), toLogLine)),
        tail: (scope, id) =>
          onBehalfOf(scope, () =>
            // Every chunk has a line at least.
            Effect.map(store.read(selectTail(scope, id, tailLineLimit), toLogLine), (chunks) =>
              logTail(chunks.map(({ text }) => text).reverse())
            )
          )
      }
    })
  )
}

const page = (limit: number): number => Math.max(0, Math.min(Math.trunc(limit), taskPage))
