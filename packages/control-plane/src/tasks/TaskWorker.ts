/**
 * Runs tasks: the living side of their records. What runs one (a process, a fiber) is held here, in the memory of the
 * host that started it; the record says the rest. A task outlives the call and the turn that started it, and ends with
 * its host at the latest.
 *
 * Every end takes one way: the work is ended and its end confirmed, its log is written out, then the one end is stored,
 * and with it the one completion.
 */
import type { TaskId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import type { ScopeRefused } from "../principals/Principals.ts"
import type { StoreError } from "../StoreError.ts"
import { LogBacklog } from "./LogBacklog.ts"
import type { TaskEnd, TaskLease, TaskRefused, TaskStart } from "./TaskLife.ts"
import type { LogStream } from "./TaskLog.ts"
import { Tasks } from "./Tasks.ts"

/** Why work is ended before it ends by itself. */
export type StopReason = "cancelled" | "timed_out" | "shutdown" | "log_lost"

/** Work that has begun. */
export interface BegunWork {
  /** Its own end. Waiting for it may be given up without harm. */
  readonly ended: Effect.Effect<TaskEnd>
  /** Ends it, confirms that it is gone, and says what was seen. */
  readonly stop: (why: StopReason) => Effect.Effect<TaskEnd>
}

export interface Work<E> extends TaskStart {
  /** Milliseconds after which it is ended. */
  readonly timeoutMillis: number
  /** Begins it; what it holds in its scope lives as long as the task. `log` takes redacted output, and never waits. */
  readonly begin: (log: (stream: LogStream, text: string) => void) => Effect.Effect<BegunWork, E, Scope.Scope>
}

/** The host is ending: nothing begins any more. */
export class WorkerClosed extends Data.TaggedError("WorkerClosed")<{
  readonly message: string
  readonly remedy: string
}> {}

/** Milliseconds that output may gather before it is written: many lines become one row. */
const gatherMillis = 100

/** Milliseconds between two tries to store an end that the store does not take. */
const retryMillis = 1_000

export class TaskWorker extends Context.Tag("@gatehouse/control-plane/TaskWorker")<
  TaskWorker,
  {
    /** Makes the record, then begins the work. Where that fails, the task has failed, and nobody is told of it again. */
    readonly start: <E>(
      scope: PrincipalScope,
      work: Work<E>
    ) => Effect.Effect<TaskId, E | TaskRefused | ScopeRefused | StoreError | WorkerClosed>
    /** Tasks that run in this host. */
    readonly running: Effect.Effect<ReadonlyArray<TaskId>>
    /** Ends when none runs here. */
    readonly idle: Effect.Effect<void>
  }
>() {
  /** Closing it ends every task of this host, side by side. */
  static readonly layer: Layer.Layer<TaskWorker, never, Tasks> = Layer.scoped(
    TaskWorker,
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const closing = yield* Deferred.make<void>()
      const running = new Map<TaskId, Fiber.RuntimeFiber<void>>()
      const idle: Effect.Effect<void> = Effect.suspend(() =>
        running.size === 0 ? Effect.void : Effect.zipRight(Fiber.awaitAll(running.values()), idle)
      )
      yield* Effect.addFinalizer(() => Effect.zipRight(Deferred.succeed(closing, undefined), idle))

      const start = <E>(scope: PrincipalScope, work: Work<E>) =>
        Effect.gen(function* () {
          if (yield* Deferred.isDone(closing)) return yield* closed
          const lease = yield* tasks.start(scope, work)
          const output = yield* makeOutput(tasks, lease)
          const held = yield* Scope.make()
          const begun = yield* Effect.onExit(Scope.extend(work.begin(output.push), held), (exit) =>
            Exit.isSuccess(exit)
              ? Effect.void
              : Effect.zipRight(Scope.close(held, exit), Effect.ignoreLogged(neverBegan(tasks, scope, lease)))
          )
          const life = supervise({ tasks, lease, work: begun, output, closing, timeoutMillis: work.timeoutMillis })
          const fiber = yield* life.pipe(
            Effect.ensuring(Scope.close(held, Exit.void)),
            Effect.ensuring(Effect.sync(() => running.delete(lease.id))),
            Effect.interruptible,
            Effect.forkDaemon
          )
          if (fiber.unsafePoll() === null) running.set(lease.id, fiber)
          return lease.id
        }).pipe(Effect.uninterruptible)
      return { start, running: Effect.sync(() => [...running.keys()]), idle }
    })
  )
}

const closed = new WorkerClosed({
  message: "the host is ending, and starts no task any more",
  remedy: "start the host again"
})

interface Supervised {
  readonly tasks: Context.Tag.Service<Tasks>
  readonly lease: TaskLease
  readonly work: BegunWork
  readonly output: TaskWriter
  readonly closing: Deferred.Deferred<void>
  readonly timeoutMillis: number
}

const supervise = ({ closing, lease, output, tasks, timeoutMillis, work }: Supervised): Effect.Effect<void> =>
  Effect.gen(function* () {
    const first = yield* Effect.raceAll([
      Effect.map(work.ended, (end) => ({ end })),
      Effect.as(patiently(tasks.cancelRequested(lease)), { stop: "cancelled" as const }),
      Effect.as(Effect.sleep(timeoutMillis), { stop: "timed_out" as const }),
      Effect.as(Deferred.await(closing), { stop: "shutdown" as const }),
      Effect.as(output.lost, { stop: "log_lost" as const })
    ])
    const end = "end" in first ? first.end : yield* work.stop(first.stop)
    const kept = yield* Effect.either(output.finish)
    yield* store(tasks, lease, Either.isLeft(kept) ? withoutLog(end, kept.left) : end, closing)
  })

/** A store that cannot be read now is asked again: nobody's wish to end a task is lost by it. */
const patiently = (wait: Effect.Effect<void, StoreError>): Effect.Effect<void> =>
  Effect.retry(wait, Schedule.spaced(retryMillis)).pipe(Effect.ignore)

/** The end is tried again while the host lives: after that, the next host ends the record as `indeterminate`. */
const store = (
  tasks: Context.Tag.Service<Tasks>,
  lease: TaskLease,
  end: TaskEnd,
  closing: Deferred.Deferred<void>
): Effect.Effect<void> =>
  tasks
    .end(lease, end)
    .pipe(
      Effect.retry(
        Schedule.whileInputEffect(Schedule.spaced(retryMillis), () =>
          Effect.map(Deferred.isDone(closing), (isClosing) => !isClosing)
        )
      ),
      Effect.ignoreLogged
    )

const withoutLog = (end: TaskEnd, error: StoreError): TaskEnd => ({
  ...end,
  status: end.status === "succeeded" ? "failed" : end.status,
  exitReason: `${end.exitReason === null ? "" : `${end.exitReason}; `}its output could not be kept: ${error.message}`
})

/** Its call has said so already. */
const neverBegan = (tasks: Context.Tag.Service<Tasks>, scope: PrincipalScope, lease: TaskLease) =>
  Effect.zipRight(
    tasks.end(lease, {
      status: "failed",
      summary: null,
      resultReference: null,
      returnCode: null,
      exitReason: "it could not be begun"
    }),
    tasks.consume(scope, lease.id)
  )

interface TaskWriter {
  readonly push: (stream: LogStream, text: string) => void
  /** Ends when output could not be kept, and not before. */
  readonly lost: Effect.Effect<void>
  /** Writes what is left; fails where anything could not be kept. */
  readonly finish: Effect.Effect<void, StoreError>
}

const makeOutput = (tasks: Context.Tag.Service<Tasks>, lease: TaskLease): Effect.Effect<TaskWriter> =>
  Effect.map(Effect.makeLatch(false), (arrived) => {
    const backlog = new LogBacklog()
    const log = tasks.output(lease)
    let failure: StoreError | null = null
    const write = Effect.suspend(() =>
      Effect.forEach(backlog.take(), ({ stream, text }) => log.write(stream, text), { discard: true })
    ).pipe(Effect.tapError((error) => Effect.sync(() => void (failure ??= error))))
    const writing = Effect.forever(
      Effect.zipRight(
        Effect.zipRight(arrived.await, Effect.sleep(gatherMillis)),
        // What was taken is written, whatever ends the waiting.
        Effect.uninterruptible(Effect.zipRight(arrived.close, write))
      )
    )
    return {
      push: (stream, text) => {
        backlog.push(stream, text)
        arrived.unsafeOpen()
      },
      lost: Effect.ignore(writing),
      finish: Effect.suspend(() => (failure === null ? Effect.zipRight(write, log.flush) : Effect.fail(failure)))
    }
  })
