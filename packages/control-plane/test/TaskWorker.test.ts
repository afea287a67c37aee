/** The worker: whatever ends a task, the work is over before its end is stored. */

import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { StoreError } from "@gatehouse/control-plane/StoreError"
import { backlogLimit, LogBacklog } from "@gatehouse/control-plane/tasks/LogBacklog"
import type { TaskEnd } from "@gatehouse/control-plane/tasks/TaskLife"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import { type StopReason, TaskWorker } from "@gatehouse/control-plane/tasks/TaskWorker"
import { SessionId } from "@gatehouse/core/Identifiers"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"

const ended: TaskEnd = { status: "succeeded", summary: null, resultReference: null, returnCode: 0, exitReason: null }

/** Work that ends when `own` is done, and writes down what was done to it. */
const work = (steps: Array<string>, own: Deferred.Deferred<TaskEnd>, said: ReadonlyArray<string> = []) => ({
  session: SessionId("session"),
  turn: null,
  kind: "test",
  tool: "test",
  summary: "works",
  writeScope: "",
  metadata: null,
  timeoutMillis: 60_000,
  begin: (log: (stream: "stdout", text: string) => void) =>
    Effect.acquireRelease(
      Effect.sync(() => {
        for (const text of said) log("stdout", text)
        return {
          ended: Deferred.await(own),
          stop: (why: StopReason) =>
            Effect.sync(() => {
              steps.push(`stopped: ${why}`)
              return { ...ended, status: "cancelled" as const, exitReason: why }
            })
        }
      }),
      () => Effect.sync(() => void steps.push("released"))
    )
})

/** Tasks that note when an end is stored, over the store in memory; `loses` makes their log fail. */
const notingTasks = (steps: Array<string>, loses: boolean) =>
  Layer.effect(
    Tasks,
    Effect.map(Tasks, (tasks): typeof Tasks.Service => ({
      ...tasks,
      end: (lease, end) =>
        Effect.tap(tasks.end(lease, end), () => Effect.sync(() => steps.push(`stored: ${end.status}`))),
      output: (lease) =>
        loses ? { write: () => Effect.fail(diskFull), flush: Effect.fail(diskFull) } : tasks.output(lease)
    }))
  )
const diskFull = new StoreError({ reason: "full", message: "the disk is full", remedy: "free some space" })

const withWorker = <A, E>(
  steps: Array<string>,
  use: (parts: {
    readonly worker: typeof TaskWorker.Service
    readonly tasks: typeof Tasks.Service
    readonly close: Effect.Effect<void>
    readonly own: Deferred.Deferred<TaskEnd>
    readonly local: typeof Principals.Service.local
  }) => Effect.Effect<A, E>,
  loses = false
) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const tasks = yield* Effect.provide(Tasks, notingTasks(steps, loses))
    const context = yield* Layer.buildWithScope(TaskWorker.layer, scope).pipe(Effect.provideService(Tasks, tasks))
    const { local } = yield* Principals
    return yield* use({
      worker: yield* Effect.provide(TaskWorker, context),
      tasks,
      close: Scope.close(scope, Exit.void),
      own: yield* Deferred.make<TaskEnd>(),
      local
    })
  }).pipe(Effect.provide(controlPlaneLayerMemory))

describe("the task worker", () => {
  it.live("stores the work's own end, and lets go of what it held before", () => {
    const steps: Array<string> = []
    return withWorker(steps, ({ local, own, tasks, worker }) =>
      Effect.gen(function* () {
        const id = yield* worker.start(local, work(steps, own, ["one\n", "two\n"]))
        assert.deepStrictEqual(yield* worker.running, [id])
        yield* Deferred.succeed(own, ended)
        yield* worker.idle
        assert.deepStrictEqual(steps, ["stored: succeeded", "released"])
        assert.strictEqual(yield* tasks.tail(local, id), "one\ntwo\n")
        assert.deepStrictEqual(yield* worker.running, [])
      })
    )
  })

  it.live("ends cancelled work before it stores the end, once for many who ask", () => {
    const steps: Array<string> = []
    return withWorker(steps, ({ local, own, tasks, worker }) =>
      Effect.gen(function* () {
        const id = yield* worker.start(local, work(steps, own))
        const asked = yield* Effect.all(
          Array.from({ length: 5 }, () => tasks.requestCancel(local, id)),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(asked.filter((answer) => answer === "sealed").length, 1)
        yield* worker.idle
        assert.deepStrictEqual(steps, ["stopped: cancelled", "stored: cancelled", "released"])
        assert.deepInclude(yield* tasks.get(local, id), { status: "cancelled", completion: "pending" })
      })
    )
  })

  it.live("ends work whose log is lost before it says that it is lost", () => {
    const steps: Array<string> = []
    return withWorker(
      steps,
      ({ local, own, tasks, worker }) =>
        Effect.gen(function* () {
          const id = yield* worker.start(local, work(steps, own, ["said\n"]))
          yield* worker.idle
          assert.deepStrictEqual(steps, ["stopped: log_lost", "stored: cancelled", "released"])
          const task = yield* tasks.get(local, id)
          assert.include(task?.exitReason, "its output could not be kept: the disk is full")
        }),
      true
    )
  })

  it.live("calls no work succeeded whose output is not all kept", () => {
    const steps: Array<string> = []
    return withWorker(
      steps,
      ({ local, own, tasks, worker }) =>
        Effect.gen(function* () {
          yield* Deferred.succeed(own, ended)
          const id = yield* worker.start(local, work(steps, own, ["said\n"]))
          yield* worker.idle
          assert.deepInclude(yield* tasks.get(local, id), {
            status: "failed",
            exitReason: "its output could not be kept: the disk is full"
          })
        }),
      true
    )
  })

  it.live("ends everything when it closes, and begins nothing after", () => {
    const steps: Array<string> = []
    return withWorker(steps, ({ close, local, own, tasks, worker }) =>
      Effect.gen(function* () {
        const ids = yield* Effect.replicateEffect(worker.start(local, work(steps, own)), 3)
        yield* close
        assert.deepStrictEqual(
          steps.filter((step) => step.startsWith("stopped")),
          ["stopped: shutdown", "stopped: shutdown", "stopped: shutdown"]
        )
        for (const id of ids) assert.deepInclude(yield* tasks.get(local, id), { status: "cancelled" })
        const refused = yield* Effect.flip(worker.start(local, work(steps, own)))
        assert.strictEqual(refused._tag, "WorkerClosed")
        assert.strictEqual((yield* tasks.list(local)).length, 3)
      })
    )
  })

  it.live("ends the record of work that could not begin, and tells nobody of it twice", () => {
    const steps: Array<string> = []
    return withWorker(steps, ({ local, own, tasks, worker }) =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(
          worker.start(local, { ...work(steps, own), begin: () => Effect.fail({ _tag: "NotBegun" as const }) })
        )
        assert.strictEqual(error._tag, "NotBegun")
        const [task] = yield* tasks.list(local)
        assert.deepInclude(task, { status: "failed", completion: "consumed", exitReason: "it could not be begun" })
      })
    )
  })
})

describe("output that waits for the log", () => {
  it("is bounded, keeps the newest, and says how much is left out", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700_000 }), { minLength: 1, maxLength: 8 }), (lengths) => {
        const backlog = new LogBacklog()
        lengths.forEach((length, index) =>
          backlog.push(index % 2 === 0 ? "stdout" : "stderr", String(index).repeat(length))
        )
        const taken = backlog.take()
        const [first] = taken
        const gap = /left out/.test(first?.text.slice(0, 60) ?? "")
        const left = gap ? Number(/\d+/.exec(first?.text ?? "")?.[0]) : 0
        const kept = taken.reduce((sum, { text }) => sum + text.length, 0) - gapLength(gap, left)
        assert.strictEqual(
          kept + left,
          lengths.reduce((sum, length) => sum + length, 0)
        )
        assert.isAtMost(kept, backlogLimit)
        assert.isTrue(taken.at(-1)?.text.endsWith(String(lengths.length - 1)))
        assert.deepStrictEqual(backlog.take(), [])
      })
    )
  })
})

const gapLength = (gap: boolean, left: number): number => (gap ? `\n[… ${left} characters left out …]\n`.length : 0)
