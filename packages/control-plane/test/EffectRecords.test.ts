/** Intents and outcomes, and who ends what a dead host left. */

import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayer, controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { Hosts } from "@gatehouse/control-plane/hosts/Hosts"
import { Leases } from "@gatehouse/control-plane/hosts/Leases"
import { endHost } from "@gatehouse/control-plane/hosts/LeftBehind"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { statement } from "@gatehouse/control-plane/Statement"
import { Store } from "@gatehouse/control-plane/Store"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import { CallId, SessionId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { child, said } from "./support/children.ts"
import { homeAt, temporaryHome } from "./support/homes.ts"
import { intentOf, outcomeOf, resultOf, turnOf } from "./support/values.ts"

const provided = Effect.provide(controlPlaneLayerMemory)

const localTurn = Effect.map(Principals, ({ local }) => turnOf(local))

describe("one call", () => {
  it.live("is begun, and then ended with what its durable view shows", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const turn = yield* localTurn
      yield* records.intend({ ...intentOf(turn, "call_1"), request: { path: "a.txt" } })
      const begun = yield* records.get(turn.principal, CallId("call_1"))
      assert.deepInclude(begun, { status: null, settledAt: null, begunAt: 1_000, request: { path: "a.txt" } })
      yield* records.settle(outcomeOf(turn, "call_1"))
      const ended = yield* records.get(turn.principal, CallId("call_1"))
      assert.deepInclude(ended, {
        status: "succeeded",
        settledAt: 2_000,
        executionStarted: true,
        view: { text: "done" },
        error: null
      })
      assert.deepInclude(ended, { tool: "write_file", capability: "fs.write", risk: "medium", recovered: false })
    }).pipe(provided)
  )

  it.live("is never begun twice, and its first end counts", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const turn = yield* localTurn
      yield* records.intend(intentOf(turn, "call_1"))
      const again = yield* Effect.flip(records.intend(intentOf(turn, "call_1")))
      assert.deepInclude(again, { _tag: "EffectRecordRefused", reason: "duplicate" })
      yield* records.settle(outcomeOf(turn, "call_1"))
      yield* records.settle({ ...outcomeOf(turn, "call_1"), result: { ...resultOf("call_1"), status: "failed" } })
      assert.strictEqual((yield* records.get(turn.principal, CallId("call_1")))?.status, "succeeded")
      const third = yield* Effect.flip(records.intend(intentOf(turn, "call_1")))
      assert.deepInclude(third, { reason: "duplicate" })
    }).pipe(provided)
  )

  it.live("that was denied is kept without ever having begun", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const turn = yield* localTurn
      const denied = { ...resultOf("call_1"), status: "denied" as const, executionStarted: false }
      yield* records.settle({ ...outcomeOf(turn, "call_1"), result: denied })
      yield* (yield* Store).write({ statements: [] })
      assert.deepInclude(yield* records.get(turn.principal, CallId("call_1")), { begunAt: null, status: "denied" })
    }).pipe(provided)
  )

  it.live("that is read-only does not wait for the disk", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const store = yield* Store
      const turn = yield* localTurn
      const before = (yield* store.counts).synchronised
      yield* records.intend({ ...intentOf(turn, "call_1"), readOnly: true })
      assert.strictEqual((yield* store.counts).synchronised, before)
      yield* records.settle({ ...outcomeOf(turn, "call_1"), readOnly: true })
      assert.strictEqual((yield* store.counts).synchronised, before)
      yield* records.settle(outcomeOf(turn, "call_2"))
      assert.strictEqual((yield* store.counts).synchronised, before + 1)
    }).pipe(provided)
  )

  it.live("claims its write scope until it has ended", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const turn = yield* localTurn
      const claim = (call: string, writeScope: string | null) => records.intend({ ...intentOf(turn, call), writeScope })
      yield* claim("call_1", "file:/a")
      yield* claim("call_2", "file:/b")
      yield* claim("call_3", null)
      yield* claim("call_4", null)
      assert.deepInclude(yield* Effect.flip(claim("call_5", "file:/a")), { reason: "write_scope" })
      yield* records.settle(outcomeOf(turn, "call_1"))
      yield* claim("call_5", "file:/a")
    }).pipe(provided)
  )

  it.live("of somebody else and one that does not exist are the same answer", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const principals = yield* Principals
      const ada = yield* principals.user("ada")
      const bob = yield* principals.user("bob")
      yield* records.intend(intentOf(turnOf(ada), "call_1"))
      const odd = ["call_1' OR '1'='1", "../../etc", "\0", "call_1\0", "\ud800", "%", "", "x".repeat(100_000)]
      for (const call of ["call_1", ...odd]) assert.isNull(yield* records.get(bob, CallId(call)))
      for (const call of odd) assert.isNull(yield* records.get(ada, CallId(call)))
      assert.lengthOf(yield* records.recent(bob, Number.MAX_SAFE_INTEGER), 0)
      assert.lengthOf(yield* records.recent(ada, Number.MAX_SAFE_INTEGER), 1)
      assert.isNotNull(yield* records.get(yield* principals.operator("test"), CallId("call_1")))
    }).pipe(provided)
  )

  it.live("with a huge view is kept within bounds", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const turn = yield* localTurn
      const huge = "x".repeat(10_000_000)
      yield* records.settle({ ...outcomeOf(turn, "call_1"), durable: { text: huge, data: { huge } } })
      const kept = yield* records.get(turn.principal, CallId("call_1"))
      assert.isBelow(JSON.stringify(kept).length, 600_000)
    }).pipe(provided)
  )
})

describe("a host that died", () => {
  const opened = (root: string) => Effect.provide(Layer.provide(controlPlaneLayer, homeAt(root)))

  it.scopedLive("leaves what it had begun to the next host, which ends it; what a living host has begun stays", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const dead = yield* child("beginning-host.mjs", [root])
      const living = yield* child("beginning-host.mjs", [root])
      yield* said(dead, "begun")
      yield* said(living, "begun")
      dead.process.kill("SIGKILL")
      yield* Effect.promise(() => dead.ended)
      yield* Effect.gen(function* () {
        const hosts = yield* Hosts
        const records = yield* EffectRecords
        const principals = yield* Principals
        const { local } = principals
        const deadPid = dead.process.pid
        assert.deepStrictEqual(hosts.foundAtStart.effects.map(({ call, status }) => [call, status]).sort(), [
          [`call_${deadPid}_read`, "failed"],
          [`call_${deadPid}_write`, "indeterminate"]
        ])
        assert.lengthOf(hosts.foundAtStart.tasks, 1)
        const write = yield* records.get(local, CallId(`call_${deadPid}_write`))
        assert.deepInclude(write, { status: "indeterminate", mayHaveHappened: true, recovered: true })
        const read = yield* records.get(local, CallId(`call_${deadPid}_read`))
        assert.deepInclude(read, { status: "failed", mayHaveHappened: false })
        const open = yield* records.open(yield* principals.operator("test"))
        assert.deepStrictEqual(open.map(({ call }) => String(call)).sort(), [
          `call_${living.process.pid}_read`,
          `call_${living.process.pid}_write`
        ])
        const tasks = yield* (yield* Tasks).ofSession(local, SessionId("session"))
        assert.deepStrictEqual(
          tasks.map(({ status, summary }) => [summary, status]).sort(),
          [
            [String(deadPid), "indeterminate"],
            [String(living.process.pid), "running"]
          ].sort()
        )
        // Its write scope and its lease are free again, those of the living host are not.
        const turn = turnOf(local)
        yield* records.intend({ ...intentOf(turn, "call_1"), writeScope: `scope_${deadPid}` })
        const taken = yield* Effect.flip(
          records.intend({ ...intentOf(turn, "call_2"), writeScope: `scope_${living.process.pid}` })
        )
        assert.deepInclude(taken, { reason: "write_scope" })
        const leases = yield* Leases
        assert.strictEqual((yield* leases.hold(`lease_${deadPid}`)).fence, 2)
        assert.strictEqual((yield* Effect.flip(leases.hold(`lease_${living.process.pid}`)))._tag, "LeaseHeld")
      }).pipe(opened(root))
    })
  )

  it.scopedLive("is told by its lease where it cannot be seen, and what it still knows replaces what was assumed", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* Effect.gen(function* () {
        const records = yield* EffectRecords
        const hosts = yield* Hosts
        const store = yield* Store
        const turn = yield* localTurn
        yield* records.intend(intentOf(turn, "call_1"))
        // Another namespace: nobody can look for this process, so its lease speaks for it.
        yield* store.write({
          statements: [statement("UPDATE hosts SET namespace = 'elsewhere' WHERE id = ?")(hosts.id)]
        })
        yield* Effect.void.pipe(opened(root))
        assert.isNull((yield* records.get(turn.principal, CallId("call_1")))?.status)
        yield* store.write({ statements: [statement("UPDATE hosts SET expires_at = 0 WHERE id = ?")(hosts.id)] })
        yield* Effect.void.pipe(opened(root))
        assert.deepInclude(yield* records.get(turn.principal, CallId("call_1")), {
          status: "indeterminate",
          recovered: true
        })
        yield* records.settle(outcomeOf(turn, "call_1"))
        assert.deepInclude(yield* records.get(turn.principal, CallId("call_1")), {
          status: "succeeded",
          recovered: false
        })
      }).pipe(opened(root))
    })
  )

  it.scopedLive("keeps nothing from a host that lives: what it held is free when somebody asks for it", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* Effect.gen(function* () {
        const records = yield* EffectRecords
        const tasks = yield* Tasks
        const leases = yield* Leases
        const { local } = yield* Principals
        const task = {
          session: SessionId("session"),
          turn: null,
          kind: "test",
          tool: "test",
          summary: "",
          metadata: null
        }
        // Each asks for what a living host holds, and again when that host has died.
        const claims: ReadonlyArray<(pid: number) => Effect.Effect<unknown, unknown, Scope.Scope>> = [
          (pid) => records.intend({ ...intentOf(turnOf(local), "call_1"), writeScope: `scope_${pid}` }),
          (pid) => tasks.start(local, { ...task, writeScope: `task_${pid}` }),
          (pid) => leases.hold(`lease_${pid}`)
        ]
        for (const claim of claims) {
          const holder = yield* child("beginning-host.mjs", [root])
          yield* said(holder, "begun")
          const pid = holder.process.pid ?? 0
          assert.isTrue(Either.isLeft(yield* Effect.either(claim(pid))))
          holder.process.kill("SIGKILL")
          yield* Effect.promise(() => holder.ended)
          yield* claim(pid)
        }
      }).pipe(opened(root))
    })
  )

  it.scopedLive("is not given up where it spoke after it was looked at", () =>
    Effect.gen(function* () {
      const records = yield* EffectRecords
      const hosts = yield* Hosts
      const store = yield* Store
      const turn = yield* localTurn
      yield* records.intend(intentOf(turn, "call_1"))
      const [host] = yield* hosts.live
      assert.isDefined(host)
      if (host === undefined) return
      assert.lengthOf((yield* endHost(store, host.id, host.renewedAt - 1, "another")).effects, 0)
      assert.isNull((yield* records.get(turn.principal, CallId("call_1")))?.status)
      assert.lengthOf((yield* endHost(store, host.id, host.renewedAt, "another")).effects, 1)
    }).pipe(provided)
  )

  it.scopedLive("that closes in order leaves nothing open", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* Effect.flatMap(EffectRecords, (records) =>
        Effect.flatMap(localTurn, (turn) => records.intend(intentOf(turn, "call_1")))
      ).pipe(opened(root))
      yield* Effect.gen(function* () {
        const record = yield* (yield* EffectRecords).get((yield* Principals).local, CallId("call_1"))
        assert.deepInclude(record, { status: "indeterminate", recovered: true })
        assert.lengthOf(yield* (yield* Hosts).live, 0)
      }).pipe(opened(root))
    })
  )

  it.scopedLive("has given its fence to nobody: each host has a higher one", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const fences = yield* Effect.forEach([1, 2, 3], () =>
        Effect.flatMap(Hosts, ({ join, live }) => Effect.zipRight(join, Effect.delay(live, 20))).pipe(opened(root))
      )
      assert.deepStrictEqual(
        fences.map((hosts) => hosts.map(({ fence }) => fence)),
        [[1], [2], [3]]
      )
    })
  )
})

describe("a lease", () => {
  it.live("is let go with its scope, and its next holder has a higher fence", () =>
    Effect.gen(function* () {
      const leases = yield* Leases
      const first = yield* Effect.scoped(
        Effect.gen(function* () {
          const lease = yield* leases.hold("session:1")
          assert.isTrue(yield* leases.isCurrent(lease))
          assert.strictEqual((yield* Effect.flip(Effect.scoped(leases.hold("session:1"))))._tag, "LeaseHeld")
          yield* Effect.scoped(leases.hold("session:2"))
          return lease
        })
      )
      const second = yield* Effect.scoped(leases.hold("session:1"))
      assert.strictEqual(second.fence, first.fence + 1)
      assert.isFalse(yield* leases.isCurrent(first))
    }).pipe(provided)
  )
})
