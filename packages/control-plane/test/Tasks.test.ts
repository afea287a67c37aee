/** Tasks: one end, delivered once; bounded logs; one write scope at a time; nothing for anybody else. */

import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayer, controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Store } from "@gatehouse/control-plane/Store"
import {
  type LogChunk,
  logChunkLimit,
  logLineLimit,
  logTail,
  makeTaskLog,
  tailCharacterLimit,
  tailLineLimit
} from "@gatehouse/control-plane/tasks/TaskLog"
import { modelSummaryLimit, toModelTask } from "@gatehouse/control-plane/tasks/TaskRows"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import { SessionId, TaskId, TurnId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as fc from "fast-check"
import { homeAt, temporaryHome } from "./support/homes.ts"

const provided = Effect.provide(controlPlaneLayerMemory)

const start = {
  session: SessionId("session"),
  turn: TurnId("turn"),
  kind: "terminal.exec",
  tool: "terminal",
  summary: "runs the tests",
  writeScope: "",
  metadata: { cwd: "." }
}

const succeeded = {
  status: "succeeded",
  summary: null,
  resultReference: null,
  returnCode: 0,
  exitReason: null
} as const

const begun = Effect.gen(function* () {
  const tasks = yield* Tasks
  const principals = yield* Principals
  return { tasks, principals, local: principals.local, task: yield* tasks.start(principals.local, start) }
})

describe("a task", () => {
  it.live("runs, and ends once", () =>
    Effect.gen(function* () {
      const { tasks, local, task } = yield* begun
      assert.deepInclude(yield* tasks.get(local, task.id), {
        status: "running",
        completion: "none",
        summary: "runs the tests"
      })
      const ends = yield* Effect.all(
        [
          tasks.end(task, succeeded),
          tasks.end(task, { ...succeeded, status: "failed" }),
          tasks.end(task, { ...succeeded, status: "cancelled" })
        ],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(ends, [true, false, false])
      assert.deepInclude(yield* tasks.get(local, task.id), {
        status: "succeeded",
        completion: "pending",
        returnCode: 0
      })
      assert.isFalse(yield* tasks.summarise(task, "too late"))
      const events = yield* (yield* EventLog).read(yield* (yield* Principals).operator("test"), {
        session: start.session
      })
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["task.started", "task.ended"]
      )
    }).pipe(provided)
  )

  it.live("is cancelled once by ten cancels, and its end is delivered once", () =>
    Effect.gen(function* () {
      const { tasks, local, task } = yield* begun
      const runner = yield* Effect.fork(
        Effect.zipRight(
          tasks.cancelRequested(task),
          tasks.end(task, { ...succeeded, status: "cancelled", returnCode: -15, exitReason: "cancelled by its owner" })
        )
      )
      const waiters = yield* Effect.forEach([1, 2, 3], () => Effect.fork(tasks.wait(local, task.id, 5_000)))
      const cancels = yield* Effect.forEach(Array.from({ length: 10 }), () => tasks.requestCancel(local, task.id), {
        concurrency: "unbounded"
      })
      assert.lengthOf(
        cancels.filter((answer) => answer === "sealed"),
        1
      )
      assert.isTrue(yield* Fiber.join(runner))
      const waits = yield* Effect.forEach(waiters, Fiber.join)
      assert.lengthOf(
        waits.filter((wait) => wait?.delivered),
        1
      )
      for (const wait of waits) assert.deepInclude(wait?.task, { status: "cancelled", returnCode: -15 })
      assert.strictEqual(yield* tasks.requestCancel(local, task.id), "ended")
      const events = yield* (yield* EventLog).read(yield* (yield* Principals).operator("test"), {
        session: start.session
      })
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["task.started", "task.cancel_requested", "task.ended"]
      )
    }).pipe(provided)
  )

  it.live("that is waited for in vain goes on", () =>
    Effect.gen(function* () {
      const { tasks, local, task } = yield* begun
      assert.deepInclude(yield* tasks.wait(local, task.id, 30), { timedOut: true, delivered: false })
      assert.deepInclude(yield* tasks.get(local, task.id), { status: "running" })
      yield* tasks.end(task, succeeded)
      assert.lengthOf(yield* tasks.pending(local, start.session), 1)
      assert.deepInclude(yield* tasks.wait(local, task.id, 30), { timedOut: false, delivered: true })
      assert.deepInclude(yield* tasks.wait(local, task.id, 30), { timedOut: false, delivered: false })
      assert.lengthOf(yield* tasks.pending(local, start.session), 0)
      assert.isFalse(yield* tasks.consume(local, task.id))
    }).pipe(provided)
  )

  it.live("with a write scope keeps out a second one until it has ended; an empty one never clashes", () =>
    Effect.gen(function* () {
      const { tasks, local } = yield* begun
      yield* tasks.start(local, start)
      const first = yield* tasks.start(local, { ...start, writeScope: "repo" })
      const bob = yield* (yield* Principals).user("bob")
      for (const scope of [local, bob]) {
        assert.deepInclude(yield* Effect.flip(tasks.start(scope, { ...start, writeScope: "repo" })), {
          _tag: "TaskRefused",
          reason: "write_scope"
        })
      }
      yield* tasks.start(local, { ...start, writeScope: "repo2" })
      yield* tasks.end(first, succeeded)
      yield* tasks.start(local, { ...start, writeScope: "repo" })
    }).pipe(provided)
  )

  it.live("claims its write scope against tasks started at the same moment", () =>
    Effect.gen(function* () {
      const tasks = yield* Tasks
      const { local } = yield* Principals
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 20 }),
        () => Effect.either(tasks.start(local, { ...start, writeScope: "repo" })),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(
        outcomes.filter(({ _tag }) => _tag === "Right"),
        1
      )
      const events = yield* (yield* EventLog).read(yield* (yield* Principals).operator("test"), {
        session: start.session
      })
      assert.lengthOf(events, 1)
    }).pipe(provided)
  )

  it.live("of somebody else and one that does not exist are the same answer", () =>
    Effect.gen(function* () {
      const { tasks, task, principals } = yield* begun
      const bob = yield* principals.user("bob")
      yield* tasks.output(task).write("stdout", "secret\n")
      yield* (yield* Store).write({ statements: [] })
      const odd = ["missing", "' OR 1=1 --", "../x", "\0", `${task.id}\0`, "%", "", "x".repeat(100_000)]
      for (const id of [task.id, ...odd.map((text) => TaskId(text))]) {
        assert.isNull(yield* tasks.get(bob, id))
        assert.isNull(yield* tasks.wait(bob, id, 1_000))
        assert.strictEqual(yield* tasks.requestCancel(bob, id), "not_found")
        assert.isFalse(yield* tasks.consume(bob, id))
        assert.deepStrictEqual(yield* tasks.log(bob, id, 0), [])
        assert.strictEqual(yield* tasks.tail(bob, id), "")
      }
      assert.deepStrictEqual(yield* tasks.list(bob), [])
      assert.deepStrictEqual(yield* tasks.ofSession(bob, start.session), [])
      const operator = yield* principals.operator("test")
      assert.strictEqual((yield* tasks.get(operator, task.id))?.id, task.id)
      assert.strictEqual(yield* tasks.tail(operator, task.id), "secret\n")
      // Seeing is not owning: an operator does not end what is not its own.
      const other = yield* tasks.start(bob, start)
      assert.strictEqual(yield* tasks.requestCancel(operator, other.id), "not_found")
    }).pipe(provided)
  )

  it.live("shows a model its bounded status, and nothing else", () =>
    Effect.gen(function* () {
      const { tasks, local } = yield* begun
      const huge = yield* tasks.start(local, {
        ...start,
        summary: "x".repeat(10_000_000),
        writeScope: "hidden",
        metadata: { hidden: true }
      })
      yield* tasks.end(huge, { ...succeeded, resultReference: "hidden", exitReason: "hidden" })
      const record = yield* tasks.get(local, huge.id)
      assert.isNotNull(record)
      assert.isAtMost(record?.summary.length ?? 0, 8_000)
      const shown = record === null ? null : toModelTask(record)
      assert.deepStrictEqual(Object.keys(shown ?? {}), [
        "task_id",
        "kind",
        "tool",
        "status",
        "summary",
        "cancel_requested",
        "created_at",
        "ended_at"
      ])
      assert.strictEqual(shown?.summary.length, modelSummaryLimit)
      assert.notInclude(JSON.stringify(shown), "hidden")
      assert.notInclude(JSON.stringify(shown), local.id)
      const refused = yield* Effect.flip(tasks.start(local, { ...start, metadata: "x".repeat(70_000) }))
      assert.deepInclude(refused, { _tag: "TaskRefused", reason: "metadata" })
    }).pipe(provided)
  )

  it.scopedLive("is not written any more by a host that was given up", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const open = Effect.provide(Layer.provide(controlPlaneLayer, homeAt(root)))
      const task = yield* Effect.map(begun, ({ task }) => task).pipe(open)
      yield* Effect.gen(function* () {
        const tasks = yield* Tasks
        const { local } = yield* Principals
        assert.deepInclude(yield* tasks.get(local, task.id), { status: "indeterminate", completion: "pending" })
        assert.isFalse(yield* tasks.end(task, succeeded))
        yield* tasks.output(task).write("stdout", "late\n")
        yield* (yield* Store).write({ statements: [] })
        assert.strictEqual(yield* tasks.tail(local, task.id), "")
      }).pipe(open)
    })
  )
})

describe("a task's log", () => {
  it.live("keeps its last 4,000 lines and shows its last 40, 8,000 characters", () =>
    Effect.gen(function* () {
      const { tasks, local, task } = yield* begun
      const output = tasks.output(task)
      for (let number = 1; number <= 9_000; number++) yield* output.write("stdout", `line ${number}\n`)
      yield* output.write("stderr", "the rest")
      yield* output.flush
      yield* (yield* Store).write({ statements: [] })
      let after = 0
      const lines: Array<string> = []
      for (
        let page = yield* tasks.log(local, task.id, after);
        page.length > 0;
        page = yield* tasks.log(local, task.id, after)
      ) {
        lines.push(...page.map(({ text }) => text))
        after = page.at(-1)?.sequence ?? after
      }
      assert.lengthOf(lines, logLineLimit)
      assert.strictEqual(lines[0], "line 5002\n")
      const tail = (yield* tasks.tail(local, task.id)).split("\n")
      assert.lengthOf(tail, tailLineLimit)
      assert.strictEqual(tail.at(-1), "the rest")
    }).pipe(provided)
  )

  it.live("bounds a line of 200,000 unbroken bytes", () =>
    Effect.gen(function* () {
      const { tasks, local, task } = yield* begun
      const output = tasks.output(task)
      yield* output.write("stdout", "x".repeat(200_000))
      yield* output.flush
      yield* (yield* Store).write({ statements: [] })
      const chunks = yield* tasks.log(local, task.id, 0)
      assert.isTrue(chunks.every(({ text }) => text.length <= logChunkLimit))
      assert.strictEqual(chunks.map(({ text }) => text).join("").length, 200_000)
      assert.strictEqual((yield* tasks.tail(local, task.id)).length, tailCharacterLimit)
    }).pipe(provided)
  )

  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.constantFrom("\n", "a\nb\n", "😀".repeat(5_000), "x".repeat(9_000), "y\n".repeat(3_000))
    ),
    { maxLength: 12 }
  )

  it("loses nothing, cuts no character, and cuts lines only where they are too long", () => {
    fc.assert(
      fc.property(texts, (pieces) => {
        const log = makeTaskLog()
        const chunks: Array<LogChunk> = []
        let removed = 0
        for (const piece of pieces) {
          const step = log.push("stdout", piece)
          chunks.push(...step.chunks)
          removed = Math.max(removed, step.removeUpTo)
        }
        const last = log.flush()
        chunks.push(...last.chunks)
        removed = Math.max(removed, last.removeUpTo)
        assert.strictEqual(chunks.map(({ text }) => text).join(""), pieces.join(""))
        chunks.forEach((chunk, index) => {
          assert.isAtMost(chunk.text.length, logChunkLimit)
          assert.strictEqual(chunk.sequence, index + 1)
          const next = chunks[index + 1]
          if (next === undefined) return
          assert.strictEqual(next.firstLine, chunk.firstLine + chunk.lines)
          if (!chunk.text.endsWith("\n")) assert.isAtLeast(chunk.text.length, logChunkLimit - 1)
          const [high, low] = [chunk.text.charCodeAt(chunk.text.length - 1), next.text.charCodeAt(0)]
          assert.isFalse(high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff)
        })
        const kept = chunks.filter(({ sequence }) => sequence > removed)
        const lines = kept.reduce((sum, chunk) => sum + chunk.lines, 0)
        if (removed > 0) assert.isAtLeast(lines, logLineLimit)
        const [oldest] = kept
        assert.isTrue(oldest === undefined || lines - oldest.lines < logLineLimit)
      })
    )
  })

  it("has a tail of its last lines", () => {
    assert.strictEqual(logTail([]), "")
    assert.strictEqual(logTail(["a\nb", "\nc\n"]), "a\nb\nc\n")
    assert.strictEqual(logTail([Array.from({ length: 50 }, (_, index) => `${index}\n`).join("")]).split("\n")[0], "10")
    fc.assert(
      fc.property(texts, (pieces) => {
        const tail = logTail(pieces)
        assert.isTrue(pieces.join("").endsWith(tail))
        assert.isAtMost(tail.length, tailCharacterLimit)
        assert.isAtMost(tail.split("\n").length, tailLineLimit + 1)
      })
    )
  })
})
