/** Background work and history behind `gatehouse serve`: tasks outlive their call, and end when their client is gone. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import { TaskId } from "@gatehouse/core/Identifiers"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { startServe } from "../support/StdioClient.ts"
import { generousCore, type TestHost, testPlace } from "../support/TestHost.ts"

const serving = Effect.gen(function* () {
  const place = yield* testPlace({
    core: { "agent.yaml": `${generousCore}    session.read: {scope: workspace}\n` },
    workspace: { "note.txt": "the heron stands in the reeds\n" }
  })
  const places = ["--core", place.core, "--home", place.home, "--workspace", place.workspace]
  return { place, client: yield* startServe(places, {}) }
})

type HomeServices = Layer.Layer.Success<typeof controlPlaneLayer>

/** What another process of this person does with the home. */
const inHome = <A, E>({ home }: TestHost, use: Effect.Effect<A, E, HomeServices>) =>
  Effect.provide(use, Layer.provideMerge(controlPlaneLayer, homeLayer(home)))

/** Allows the next question of the home. */
const allowNext = (place: TestHost) =>
  inHome(
    place,
    Effect.gen(function* () {
      const records = yield* ApprovalRecords
      const operator = yield* (yield* Principals).operator("test")
      const open = yield* Effect.repeat(Effect.zipRight(Effect.sleep(50), records.list(operator, "pending")), {
        until: (found) => found.length > 0
      })
      for (const { approval } of open) yield* records.answer(operator, approval.id, "allow", "test")
    })
  )

const isAlive = (pid: string): boolean => {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return false
  }
}

describe("behind gatehouse serve", () => {
  it.scopedLive(
    "a task outlives its call, and ends with the client that caused it",
    () =>
      Effect.gen(function* () {
        const { client, place } = yield* serving
        yield* Effect.promise(() => client.initialize())
        const call = (id: number, name: string, args: unknown) =>
          Effect.promise(() => client.request(id, "tools/call", { name, arguments: args }))
        const [started] = yield* Effect.all(
          [
            call(2, "terminal", { command: "sh -c 'echo $$ > pid; exec sleep 100' & wait", background: true }),
            allowNext(place)
          ],
          { concurrency: 2 }
        )
        const task = /task_[0-9a-f]{32}/.exec(JSON.stringify(started))?.[0] ?? ""
        const waited = yield* call(3, "yield_until", { task_id: task, timeout_seconds: 0.5 })
        assert.match(JSON.stringify(waited), /still running/)
        const pid = readFileSync(join(place.workspace, "pid"), "utf8").trim()
        assert.isTrue(existsSync(`/proc/${pid}`))
        client.child.stdin.end()
        yield* Effect.promise(() => client.exit())
        assert.isFalse(isAlive(pid))
        const record = yield* inHome(
          place,
          Effect.gen(function* () {
            const [only] = yield* (yield* Tasks).list((yield* Principals).local)
            return only
          })
        )
        assert.deepStrictEqual([record?.id, record?.status], [TaskId(task), "cancelled"])
        assert.match(record?.exitReason ?? "", /^its host ended; /)
      }),
    60_000
  )

  it.scopedLive(
    "the calls of a session are its history, and are found once a person agrees",
    () =>
      Effect.gen(function* () {
        const { client, place } = yield* serving
        yield* Effect.promise(() => client.initialize())
        const call = (id: number, name: string, args: unknown) =>
          Effect.promise(() => client.request(id, "tools/call", { name, arguments: args }))
        yield* call(2, "read_file", { path: "note.txt" })
        const [found] = yield* Effect.all([call(3, "session_search", { query: "heron" }), allowNext(place)], {
          concurrency: 2
        })
        assert.match(JSON.stringify(found), /tool: read_file succeeded.*the heron stands in the reeds/)
      }),
    60_000
  )
})
