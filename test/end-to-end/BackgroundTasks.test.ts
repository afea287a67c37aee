/** Background commands of a whole host: real processes, a real store, the tools by which a model follows them. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { type LogLine } from "@gatehouse/control-plane/tasks/TaskRows"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { TaskId } from "@gatehouse/core/Identifiers"
import { isJsonObject, type JsonObject } from "@gatehouse/core/Json"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { admitTestTurn, hostOver, type InTurn, type TestHostOptions, testPlace, withHost } from "../support/TestHost.ts"

const allowed = ["allow", "allow", "allow", "allow"]

/** Starts `command` as a task. */
const background = (turn: InTurn["turn"], command: string, more: JsonObject = {}) =>
  Effect.map(executeCall(turn, "terminal", { command, background: true, ...more }), (result) => {
    assert.strictEqual(result.status, "succeeded", result.error?.message)
    return TaskId(String(dataOf(result)["task_id"]))
  })

const dataOf = (result: EffectResult): JsonObject => {
  const data = result.views.model.data
  const inner = data !== undefined && isJsonObject(data) && isJsonObject(data["data"] ?? null) ? data["data"] : data
  if (inner === undefined || !isJsonObject(inner)) throw new Error(`no data: ${JSON.stringify(result.views.model)}`)
  return inner
}

const taskOf = (result: EffectResult): JsonObject => {
  const { task = null } = dataOf(result)
  if (!isJsonObject(task)) throw new Error("no task")
  return task
}

/** Waits until a file of the workspace is there, and reads it. */
const fileIn = (path: string) =>
  Effect.suspend(() =>
    existsSync(path) && readFileSync(path, "utf8") !== ""
      ? Effect.succeed(readFileSync(path, "utf8"))
      : Effect.fail("missing")
  ).pipe(Effect.retry(Schedule.spaced(20)), Effect.timeout(10_000))

const isAlive = (pid: string): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid.trim()}/status`, "utf8"))
  } catch {
    return false
  }
}

const asOwner = Effect.all({ tasks: Tasks, owner: Effect.map(Principals, ({ local }) => local) })

describe("terminal in the background", () => {
  it.live("becomes a task with its output in the log, and its end is told once", () =>
    withHost({ answers: allowed }, ({ turn }) =>
      Effect.gen(function* () {
        const id = yield* background(turn, "echo out; echo err >&2; exit 3")
        const first = yield* executeCall(turn, "yield_until", { task_id: id })
        assert.deepInclude(dataOf(first), { timed_out: false, delivered: true })
        assert.deepStrictEqual(Object.keys(taskOf(first)).sort(), [
          "cancel_requested",
          "created_at",
          "ended_at",
          "kind",
          "status",
          "summary",
          "task_id",
          "tool"
        ])
        assert.deepInclude(taskOf(first), { task_id: id, kind: "terminal.exec", tool: "terminal", status: "failed" })
        assert.include(String(taskOf(first)["summary"]), "exited with 3\nout\nerr")
        assert.deepInclude(dataOf(yield* executeCall(turn, "yield_until", { task_id: id })), { delivered: false })
        const { owner, tasks } = yield* asOwner
        const record = yield* tasks.get(owner, id)
        assert.deepInclude(record, { returnCode: 3, exitReason: "exited with 3", completion: "consumed" })
        assert.strictEqual(record?.turn, turn.context.id)
        const log = yield* tasks.log(owner, id, 0)
        assert.sameDeepMembers(
          log.map(({ stream, text }: LogLine) => [stream, text]),
          [
            ["stdout", "out\n"],
            ["stderr", "err\n"]
          ]
        )
      })
    )
  )

  it.live("keeps long output in chunks of 8 KiB, and the last 4,000 lines", () =>
    withHost({ answers: allowed }, ({ turn }) =>
      Effect.gen(function* () {
        const id = yield* background(turn, "seq 1 20000; head -c 200000 /dev/zero | tr '\\0' x")
        yield* executeCall(turn, "yield_until", { task_id: id })
        const { owner, tasks } = yield* asOwner
        const log = yield* tasks.log(owner, id, 0)
        assert.isTrue(log.every(({ text }) => text.length <= 8_192))
        const kept = log.map(({ text }) => text).join("")
        assert.isAtMost(kept.split("\n").length, 4_000 + 4_000)
        assert.include(kept, "\n20000\n")
        assert.notInclude(kept, "\n1000\n")
        assert.isTrue(kept.endsWith("x".repeat(150_000)))
      })
    )
  )

  it.live("ends the whole tree when it is cancelled, then stores the end, once", () =>
    withHost({ answers: allowed }, ({ place, turn }) =>
      Effect.gen(function* () {
        const id = yield* background(turn, "sleep 300 & echo $! > child; wait")
        const child = yield* fileIn(join(place.workspace, "child"))
        const still = yield* executeCall(turn, "yield_until", { task_id: id, timeout_seconds: 0.1 })
        assert.deepInclude(dataOf(still), { timed_out: true, delivered: false })
        assert.strictEqual(taskOf(still)["status"], "running")
        const [one, two] = yield* Effect.all(
          [
            executeCall(turn, "task_control", { task_id: id, action: "cancel" }),
            executeCall(turn, "task_control", { task_id: id, action: "cancel" })
          ],
          { concurrency: 2 }
        )
        assert.sameMembers([dataOf(one)["cancel"], dataOf(two)["cancel"]], ["sealed", "already"])
        const ended = yield* executeCall(turn, "yield_until", { task_id: id })
        assert.strictEqual(taskOf(ended)["status"], "cancelled")
        assert.isFalse(isAlive(child), "the child of the command lives")
        const { owner, tasks } = yield* asOwner
        const record = yield* tasks.get(owner, id)
        assert.match(record?.exitReason ?? "", /^somebody asked for its end; ended by (TERM|KILL)$/)
        assert.deepInclude(dataOf(yield* executeCall(turn, "task_control", { task_id: id, action: "cancel" })), {
          cancel: "ended"
        })
      })
    )
  )

  it.live("ends when its time is over", () =>
    withHost({ answers: allowed }, ({ turn }) =>
      Effect.gen(function* () {
        const id = yield* background(turn, "sleep 300", { timeout_seconds: 0.2 })
        assert.strictEqual(taskOf(yield* executeCall(turn, "yield_until", { task_id: id }))["status"], "timed_out")
      })
    )
  )

  it.live("refuses secrets before anybody is asked, and leaves no task", () =>
    withHost({ answers: allowed, core: secretCore, environment: { TOKEN: "s3cr3t-t0ken-value" } }, ({ place, turn }) =>
      Effect.gen(function* () {
        const result = yield* executeCall(turn, "terminal", {
          command: "sleep 5",
          background: true,
          secret_bindings: [{ source: "env:TOKEN" }]
        })
        assert.deepInclude(result, { status: "invalid", executionStarted: false })
        assert.deepStrictEqual(place.asked, [])
        assert.deepStrictEqual(dataOf(yield* executeCall(turn, "task_list", {})), { tasks: [] })
      })
    )
  )

  it.live("leaves no running task where the command cannot be started", () =>
    withHost({ answers: allowed }, ({ turn }) =>
      Effect.gen(function* () {
        const result = yield* executeCall(turn, "terminal", { command: "ls", background: true, cwd: "missing" })
        assert.notStrictEqual(result.status, "succeeded")
        assert.deepStrictEqual(dataOf(yield* executeCall(turn, "task_list", {})), { tasks: [] })
      })
    )
  )

  it.live("hides in its record what the arguments tell", () =>
    withHost({ answers: allowed }, ({ turn }) =>
      Effect.gen(function* () {
        const id = yield* background(turn, "echo --password=hunter2-and-more; sleep 0.1")
        yield* executeCall(turn, "yield_until", { task_id: id })
        const { owner, tasks } = yield* asOwner
        const record = JSON.stringify([yield* tasks.get(owner, id), yield* tasks.log(owner, id, 0)])
        assert.notInclude(record, "hunter2-and-more")
      })
    )
  )

  it.live("runs on when its turn is stopped, and ends with its host", () =>
    Effect.gen(function* () {
      const options: TestHostOptions = { answers: allowed }
      const place = yield* testPlace(options)
      const { child, id } = yield* Effect.scoped(
        Effect.gen(function* () {
          const turn = yield* admitTestTurn(place)
          const started = yield* background(turn, "echo $$ > leader; exec sleep 300")
          const pid = yield* fileIn(join(place.workspace, "leader"))
          place.stop.abort()
          const stopped = yield* executeCall(turn, "task_status", { task_id: started })
          assert.strictEqual(stopped.status, "cancelled")
          yield* Effect.sleep(100)
          assert.isTrue(isAlive(pid), "the task ended with its turn")
          return { child: pid, id: started }
        })
      ).pipe(Effect.provide(hostOver(place, options)))
      assert.isFalse(isAlive(child), "the task outlived its host")
      const record = yield* Effect.flatMap(asOwner, ({ owner, tasks }) => tasks.get(owner, id)).pipe(
        Effect.provide(hostOver(place, options))
      )
      assert.deepInclude(record, { status: "cancelled", completion: "pending" })
      assert.match(record?.exitReason ?? "", /^its host ended; ended by/)
    }).pipe(Effect.scoped)
  )
})

describe("the tools about tasks", () => {
  it.live("know no task of another owner, in the very words for one that does not exist", () =>
    withHost({ answers: [] }, ({ turn }) =>
      Effect.gen(function* () {
        const { tasks } = yield* asOwner
        const sessions = yield* Sessions
        const other = yield* Effect.flatMap(Principals, ({ user }) => user("other"))
        const session = yield* sessions.create(other, { title: "theirs", coreRoot: null })
        const { id } = yield* tasks.start(other, {
          session: session.id,
          turn: null,
          kind: "terminal.exec",
          tool: "terminal",
          summary: "theirs",
          writeScope: "",
          metadata: null
        })
        const missing = `task_${"0".repeat(id.length - 5)}`
        for (const [tool, more] of [
          ["task_status", {}],
          ["task_control", { action: "cancel" }],
          ["yield_until", { timeout_seconds: 5 }]
        ] as const) {
          const [foreign, none] = yield* Effect.all([
            executeCall(turn, tool, { task_id: id, ...more }),
            executeCall(turn, tool, { task_id: missing, ...more })
          ])
          assert.strictEqual(foreign.status, "failed")
          assert.deepStrictEqual(foreign.views.model, none.views.model, tool)
          assert.deepStrictEqual([foreign.status, foreign.error?.message], [none.status, none.error?.message])
        }
        assert.deepInclude(yield* tasks.get(other, id), { status: "running", cancelRequestedAt: null })
        assert.deepStrictEqual(dataOf(yield* executeCall(turn, "task_list", {})), { tasks: [] })
      })
    )
  )

  it.live("know no other control than cancel", () =>
    withHost({ answers: [] }, ({ turn }) =>
      Effect.gen(function* () {
        for (const action of ["pause", "Cancel", "kill", ""]) {
          const result = yield* executeCall(turn, "task_control", { task_id: "task_1", action })
          assert.deepInclude(result, { status: "invalid", executionStarted: false })
          assert.match(result.error?.message ?? "", /unsupported/)
        }
      })
    )
  )
})

const secretCore = {
  "agent.yaml": `agent: { id: test }
tools: { toolsets: [coding, control] }
capabilities:
  defaults:
    terminal.exec: {scope: workspace}
    "secret.bind:TOKEN": {scope: workspace}
`
}
