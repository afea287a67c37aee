import { assert, describe, it } from "@effect/vitest"
import { inRealTime } from "@gatehouse/process/spawn/RealTime.boundary"
import { endTree, placesToLook } from "@gatehouse/process/tree/EndTree"
import type { ProcessTree } from "@gatehouse/process/tree/ProcessTree"
import * as Effect from "effect/Effect"
import { FakeTable } from "./FakeTable.ts"

const treeOf = (more: Partial<ProcessTree> = {}): ProcessTree => ({
  spawnId: "sp",
  leader: 100,
  start: "boot:100",
  startedAt: 100,
  mark: "mark",
  known: new Map(),
  leaderEndedAt: null,
  ...more
})

/** The host sees the end of a leader at once. */
const end = (table: FakeTable, tree: ProcessTree) =>
  inRealTime(
    endTree({
      table,
      tree,
      graceMillis: 30,
      leaderExited: () => table.status(tree.leader)?.start !== tree.start,
      pids: table.pids,
      ownGroup: 2,
      spare: new Set([2])
    })
  )

describe("ending a tree", () => {
  it.effect("sends TERM to the group, and KILL to who stays", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 100, mark: "mark" })
      table.add({ pid: 101, group: 100, session: 100, parent: 100, deaf: ["TERM"] })
      const report = yield* end(table, treeOf())
      assert.deepStrictEqual(report, { confirmed: true, survivors: [] })
      assert.deepStrictEqual(table.sent, ["TERM -100", "CONT -100", "KILL -100"])
    })
  )

  it.effect("never signals a pid that was given to a stranger", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 100, startedAt: 500 })
      table.add({ pid: 101, startedAt: 501, group: 100, session: 100, parent: 100 })
      const report = yield* end(table, treeOf({ leaderEndedAt: 300 }))
      assert.deepStrictEqual(report, { confirmed: true, survivors: [] })
      assert.deepStrictEqual(table.sent, [])
    })
  )

  it.effect("does not send KILL when the pid changed hands after TERM", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 100, deaf: ["TERM"] })
      table.beforeLook = () => {
        if (table.sent.length === 2) table.add({ pid: 100, startedAt: 900 })
      }
      const report = yield* end(table, treeOf())
      assert.isTrue(report.confirmed)
      assert.deepStrictEqual(table.sent, ["TERM -100", "CONT -100"])
      assert.isTrue(table.processes.has(100))
    })
  )

  it.effect("compares the start marker of who left the group right before the signal", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 160, mark: "mark" })
      // Between the look and the signal the process ends, and a stranger is given its pid.
      const variable = table.variable
      const swapping = Object.assign(table, {
        variable: (pid: number, name: string) => {
          const value = variable(pid, name)
          if (pid === 160 && value === "mark") table.add({ pid: 160, startedAt: 800 })
          return value
        }
      })
      const report = yield* end(swapping, treeOf({ leaderEndedAt: 300 }))
      assert.isTrue(report.confirmed)
      assert.deepStrictEqual(table.sent, [])
    })
  )

  it.effect("does not take a stranger's group for its own after the leader has ended", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      // The stranger had pid 100 and has ended; its child is left, born after our leader was seen to end.
      table.add({ pid: 700, startedAt: 700, group: 100, session: 100 })
      const report = yield* end(table, treeOf({ leaderEndedAt: 300 }))
      assert.isTrue(report.confirmed)
      assert.deepStrictEqual(table.sent, [])
    })
  )

  it.effect("finds who was in the session before the leader ended, without any mark", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 150, group: 100, session: 100 })
      const report = yield* end(table, treeOf({ leaderEndedAt: 300 }))
      assert.deepStrictEqual(report, { confirmed: true, survivors: [] })
      assert.deepStrictEqual(table.sent, ["TERM -100"])
    })
  )

  it.effect("finds who left for a session of its own by the mark, and its children by their parent", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 160, mark: "mark" })
      table.add({ pid: 161, parent: 160 })
      table.add({ pid: 162, mark: "another mark" })
      const report = yield* end(table, treeOf({ leaderEndedAt: 300 }))
      assert.isTrue(report.confirmed)
      assert.deepStrictEqual([...table.processes.keys()], [2, 162])
      assert.sameMembers(table.sent, ["TERM 160", "TERM 161"])
    })
  )

  it.effect("counts zombies as gone", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 150, group: 100, session: 100, gone: true })
      const report = yield* end(table, treeOf({ leaderEndedAt: 300 }))
      assert.deepStrictEqual(report, { confirmed: true, survivors: [] })
      assert.deepStrictEqual(table.sent, [])
    })
  )

  it.effect("names who cannot be ended", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 100, name: "stuck", deaf: ["TERM", "KILL"] })
      const report = yield* end(table, treeOf())
      assert.isFalse(report.confirmed)
      assert.deepStrictEqual(
        report.survivors.map(({ name, pid }) => ({ name, pid })),
        [{ name: "stuck", pid: 100 }]
      )
    })
  )

  it.effect("sends TERM to who appears while it waits", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 100, deaf: ["TERM"] })
      let looks = 0
      table.beforeLook = () => {
        looks += 1
        if (looks === 3) table.add({ pid: 180, parent: 100, mark: "mark" })
      }
      yield* end(table, treeOf())
      assert.include(table.sent, "TERM 180")
    })
  )

  it.effect("leaves the host and its parents alone, whatever they carry", () =>
    Effect.gen(function* () {
      const table = new FakeTable()
      table.add({ pid: 2, startedAt: 200, mark: "mark", group: 100, session: 100 })
      yield* end(table, treeOf({ leaderEndedAt: 300 }))
      assert.deepStrictEqual(table.sent, [])
    })
  )
})

describe("where members can be", () => {
  const table = (newest: number | null) => ({
    ...new FakeTable(),
    newestPid: () => newest,
    pids: () => [2, 90, 100, 110]
  })
  it("is nowhere but the leader while its pid is the newest", () => {
    assert.deepStrictEqual(placesToLook(table(100), 100, 10), [100])
  })
  it("is above the leader shortly after the start", () => {
    assert.deepStrictEqual(placesToLook(table(110), 100, 10), [100, 110])
  })
  it("is anywhere after a wrap, after some time, or where the newest is not known", () => {
    for (const places of [
      placesToLook(table(90), 100, 10),
      placesToLook(table(110), 100, 5000),
      placesToLook(table(null), 100, 10)
    ]) {
      assert.deepStrictEqual(places, [2, 90, 100, 110])
    }
  })
})
