/** Retention, backup, restore and moving aside. */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayer, controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { applyRetention } from "@gatehouse/control-plane/maintenance/Retention"
import { restoreStore, setStoreAside } from "@gatehouse/control-plane/maintenance/StoreFile.boundary"
import { verifyFile, verifyStore } from "@gatehouse/control-plane/maintenance/VerifyStore"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Store, storeFileName } from "@gatehouse/control-plane/Store"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import { CallId, SessionId } from "@gatehouse/core/Identifiers"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import Database from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { homeAt, temporaryHome } from "./support/homes.ts"
import { eventOf, intentOf, outcomeOf, turnOf } from "./support/values.ts"

const opened = (root: string) => Effect.provide(Layer.provide(controlPlaneLayer, homeAt(root)))

const keepEverything = { eventDays: 40_000, eventCount: 1_000_000, recordDays: 40_000 }

const published = (count: number, session = "session") =>
  Effect.gen(function* () {
    const events = yield* RuntimeEvents
    for (let number = 0; number < count; number++) yield* events.publish(eventOf(session, number))
    yield* (yield* Store).write({ statements: [] })
  })

describe("retention", () => {
  it.live("cuts the log at its start; what is left is still one chain, and sessions count on", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const log = yield* EventLog
      yield* published(1_500)
      const scope = yield* (yield* Principals).operator("test")
      const pruned = yield* applyRetention(store, { ...keepEverything, eventCount: 100 })
      assert.strictEqual(pruned.events, 1_401)
      const verdict = yield* log.verify(scope)
      assert.deepInclude(verdict, { sound: true, checked: 100, after: 1_401 })
      assert.strictEqual((yield* applyRetention(store, { ...keepEverything, eventCount: 0 })).events, 100)
      assert.deepInclude(yield* log.verify(scope), { sound: true, checked: 0 })
      yield* published(1)
      const [next] = yield* log.read(scope, {})
      assert.deepInclude(next, { position: 1_502, sequence: 1_501 })
      assert.isTrue((yield* log.verify(scope)).sound)
    }).pipe(Effect.provide(controlPlaneLayerMemory))
  )

  it.scopedLive("lets sessions count on after a restart too", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* Effect.gen(function* () {
        yield* published(20)
        yield* applyRetention(yield* Store, { ...keepEverything, eventCount: 0 })
      }).pipe(opened(root))
      yield* Effect.gen(function* () {
        yield* published(1)
        const [next] = yield* (yield* EventLog).read(yield* (yield* Principals).operator("test"), {})
        assert.deepInclude(next, { position: 21, sequence: 21 })
      }).pipe(opened(root))
    })
  )

  it.live("takes old events, and leaves all behind the first that is not old", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const events = yield* RuntimeEvents
      const now = Date.now()
      // The clock was set forward for the second one, and back again.
      for (const at of [1_000, now + 1e10, 1_000, now]) yield* events.publish({ ...eventOf("session"), at })
      yield* store.write({ statements: [] })
      assert.strictEqual((yield* applyRetention(store, { ...keepEverything, eventDays: 1 })).events, 1)
    }).pipe(Effect.provide(controlPlaneLayerMemory))
  )

  it.live("takes old ended records and leaves what is open", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const records = yield* EffectRecords
      const tasks = yield* Tasks
      const { local } = yield* Principals
      const turn = turnOf(local)
      yield* records.intend(intentOf(turn, "open"))
      yield* records.intend(intentOf(turn, "ended"))
      yield* records.settle(outcomeOf(turn, "ended"))
      const start = {
        session: SessionId("s"),
        turn: null,
        kind: "k",
        tool: "t",
        summary: "",
        writeScope: "",
        metadata: null
      }
      const ended = yield* tasks.start(local, start)
      yield* tasks.output(ended).write("stdout", "a line\n")
      yield* tasks.end(ended, {
        status: "succeeded",
        summary: null,
        resultReference: null,
        returnCode: 0,
        exitReason: null
      })
      const running = yield* tasks.start(local, start)
      const pruned = yield* applyRetention(store, { ...keepEverything, recordDays: -1 })
      assert.deepInclude(pruned, { effects: 1, tasks: 1 })
      assert.isNotNull(yield* records.get(local, CallId("open")))
      assert.isNull(yield* records.get(local, CallId("ended")))
      assert.isNull(yield* tasks.get(local, ended.id))
      assert.isNotNull(yield* tasks.get(local, running.id))
      assert.isTrue((yield* verifyStore(store)).sound)
    }).pipe(Effect.provide(controlPlaneLayerMemory))
  )
})

describe("a backup", () => {
  it.scopedLive("is taken while the store is used, is verified, and becomes a store again", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const elsewhere = yield* temporaryHome
      const backup = join(elsewhere, "backup.db")
      yield* Effect.gen(function* () {
        yield* published(2_000)
        const store = yield* Store
        yield* Effect.all([store.backup(backup), published(500, "meanwhile")], { concurrency: "unbounded" })
        const again = yield* Effect.flip(store.backup(backup))
        assert.strictEqual(again.reason, "conflict")
      }).pipe(opened(root))
      assert.strictEqual(statSync(backup).mode & 0o777, 0o600)
      const verdict = yield* verifyFile(backup)
      assert.deepInclude(verdict, { sound: true, problems: [] })
      assert.isAtLeast(verdict.chain.checked, 2_000)
      const home = yield* temporaryHome
      yield* restoreStore(backup, home)
      assert.strictEqual(statSync(join(home, storeFileName)).mode & 0o777, 0o600)
      yield* Effect.gen(function* () {
        yield* published(10)
        assert.isTrue((yield* verifyStore(yield* Store)).sound)
      }).pipe(opened(home))
      assert.strictEqual((yield* Effect.flip(restoreStore(backup, home))).reason, "conflict")
    })
  )

  it.scopedLive("that was changed or damaged is found out", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const backup = join(root, "backup.db")
      yield* Effect.zipRight(
        published(50),
        Effect.flatMap(Store, (store) => store.backup(backup))
      ).pipe(opened(root))
      const changed = new Database(backup)
      changed.exec("UPDATE events SET type = 'nothing.happened' WHERE position = 10")
      changed.close()
      const verdict = yield* verifyFile(backup)
      assert.isFalse(verdict.sound)
      assert.deepStrictEqual(
        verdict.chain.faults.map(({ position }) => position),
        [10]
      )
      const bytes = readFileSync(backup)
      bytes.fill(0xff, 8_192, 20_480)
      writeFileSync(backup, bytes)
      const damaged = yield* Effect.either(verifyFile(backup))
      assert.isTrue(damaged._tag === "Left" ? damaged.left.reason === "corrupt" : !damaged.right.sound)
    })
  )
})

describe("a damaged store", () => {
  it.scopedLive("is moved aside when asked, whole, and the next host starts anew", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const path = join(root, storeFileName)
      writeFileSync(path, "damaged")
      assert.strictEqual((yield* Effect.flip(Effect.void.pipe(opened(root)))).reason, "corrupt")
      const aside = yield* setStoreAside(root)
      assert.strictEqual(readFileSync(aside, "utf8"), "damaged")
      assert.isFalse(existsSync(path))
      yield* published(1).pipe(opened(root))
      assert.strictEqual((yield* Effect.flip(setStoreAside(join(root, "none")))).reason, "missing")
    })
  )
})
