/** The store file: its modes, its refusals, and what two processes may do with it. */

import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { verifyChain } from "@gatehouse/control-plane/events/VerifyChain"
import { text } from "@gatehouse/control-plane/Row"
import { statement } from "@gatehouse/control-plane/Statement"
import { Store, storeFileName } from "@gatehouse/control-plane/Store"
import type { StoreError } from "@gatehouse/control-plane/StoreError"
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import Database from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { child, said } from "./support/children.ts"
import { homeAt, temporaryHome } from "./support/homes.ts"
import { eventOf } from "./support/values.ts"

const storeIn = (root: string) => Layer.build(Layer.provide(Store.layer, homeAt(root)))

/** Opens the store of `root`, closes it, and says what came of it. */
const tryOpen = (root: string) => Effect.either(Effect.scoped(storeIn(root)))

const failure = (outcome: Either.Either<unknown, StoreError>): StoreError => {
  if (Either.isRight(outcome)) throw new Error("it was not refused")
  return outcome.left
}

const insertName = statement("INSERT INTO principals (id, name, created_at) VALUES (?, ?, 0)")
const selectNames = statement("SELECT name FROM principals ORDER BY name")
const names = (store: Store["Type"]) => store.read(selectNames(), (row) => text(row, "name"))

/** A store with one principal, closed again; answers the path of its file. */
const made = (root: string) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const store = yield* Effect.map(
      Scope.extend(storeIn(root), scope),
      (context) => context.unsafeMap.get(Store.key) as Store["Type"]
    )
    yield* store.write({ statements: [insertName("p1", "ada")] })
    yield* Scope.close(scope, Exit.void)
    return join(root, storeFileName)
  })

const withStore = <A, E, R>(root: string, use: (store: Store["Type"]) => Effect.Effect<A, E, R>) =>
  Effect.provide(Effect.flatMap(Store, use), Layer.provide(Store.layer, homeAt(root)))

describe("the file", () => {
  it.scopedLive("is made with mode 0600, side files too, whatever the umask", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const before = process.umask(0)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.umask(before)))
      yield* withStore(root, (store) =>
        Effect.gen(function* () {
          yield* store.write({ statements: [insertName("p1", "ada")] })
          for (const side of ["", "-wal", "-shm"]) {
            assert.strictEqual(statSync(join(root, storeFileName + side)).mode & 0o777, 0o600, side)
          }
        })
      )
    })
  )

  it.scopedLive("keeps what was written, over a close and an open", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* made(root)
      assert.deepStrictEqual(yield* withStore(root, names), ["ada"])
    })
  )

  it.scopedLive("is refused by name, and left as it is, where it is no store", () =>
    Effect.gen(function* () {
      for (const content of [
        "x",
        "not a database at all".repeat(400),
        "SQLite format 3\0 and then nothing sensible".repeat(200)
      ]) {
        const root = yield* temporaryHome
        const path = join(root, storeFileName)
        writeFileSync(path, content)
        const error = failure(yield* tryOpen(root))
        assert.strictEqual(error.reason, "corrupt")
        assert.include(error.message, path)
        assert.strictEqual(readFileSync(path, "utf8"), content)
      }
    })
  )

  it.scopedLive("is refused where another program wrote it", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const other = new Database(join(root, storeFileName))
      other.pragma("application_id = 7")
      other.exec("CREATE TABLE theirs (a)")
      other.close()
      assert.strictEqual(failure(yield* tryOpen(root)).reason, "corrupt")
    })
  )

  it.scopedLive("is refused where it is a folder or a link", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryHome
      mkdirSync(join(folder, storeFileName))
      assert.strictEqual(failure(yield* tryOpen(folder)).reason, "corrupt")
      const linked = yield* temporaryHome
      symlinkSync(join(linked, "elsewhere"), join(linked, storeFileName))
      assert.strictEqual(failure(yield* tryOpen(linked)).reason, "corrupt")
      assert.isFalse(existsSync(join(linked, "elsewhere")))
    })
  )

  it.scopedLive("is refused with both versions where its schema is newer, and left as it is", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const path = yield* made(root)
      const newer = new Database(path)
      newer.pragma("user_version = 999")
      newer.close()
      const error = failure(yield* tryOpen(root))
      assert.strictEqual(error.reason, "newer_schema")
      assert.include(error.message, "999")
      const after = new Database(path, { readonly: true })
      assert.strictEqual(after.pragma("user_version", { simple: true }), 999)
      after.close()
    })
  )

  it.scopedLive("says corrupt where pages are damaged, on the read that meets them", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const path = yield* made(root)
      truncateSync(path, 8_192)
      const outcome = yield* Effect.either(withStore(root, (store) => Effect.zipRight(names(store), store.integrity)))
      assert.strictEqual(failure(outcome).reason, "corrupt")
    })
  )

  it.scopedLive("is missing where its home is", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const error = failure(yield* tryOpen(join(root, "gone")))
      assert.strictEqual(error.reason, "missing")
    })
  )

  it.scopedLive("takes no more writes once its home has vanished or was replaced", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* withStore(root, (store) =>
        Effect.gen(function* () {
          yield* store.write({ statements: [insertName("p1", "ada")] })
          renameSync(root, `${root}-moved`)
          yield* Effect.sleep(10)
          const gone = yield* Effect.either(store.write({ statements: [insertName("p2", "bob")] }))
          assert.strictEqual(failure(gone).reason, "missing")
          mkdirSync(root)
          writeFileSync(join(root, storeFileName), "")
          const replaced = yield* Effect.either(store.write({ statements: [insertName("p2", "bob")] }))
          assert.strictEqual(failure(replaced).reason, "missing")
          rmSync(root, { recursive: true })
          renameSync(`${root}-moved`, root)
          yield* store.write({ statements: [insertName("p2", "bob")] })
        })
      )
    })
  )

  it.scopedLive("is read_only where the home may not be written", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* made(root)
      // Root may write everywhere: the child is nobody.
      const uid = process.getuid?.() === 0 ? { uid: 65_534 } : {}
      yield* withStore(root, () => Effect.void)
      const other = yield* child("open-store.mjs", [root, "locked-home"], uid)
      yield* Effect.promise(() => other.ended)
      assert.include(other.lines, "read_only", other.errors.join(""))
    })
  )
})

describe("writing", () => {
  it.scopedLive("writes a change whole or not at all, and others of its group all the same", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* withStore(root, (store) =>
        Effect.gen(function* () {
          const outcomes = yield* Effect.all(
            [
              Effect.either(store.write({ statements: [insertName("p1", "ada")], events: [eventOf("s", 1)] })),
              Effect.either(
                store.write({
                  statements: [insertName("p2", "bob"), insertName("p1", "twice")],
                  events: [eventOf("s", 2)]
                })
              ),
              Effect.either(store.write({ statements: [insertName("p3", "eve")], events: [eventOf("s", 3)] }))
            ],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(outcomes.map(Either.isRight), [true, false, true])
          assert.strictEqual(failure(outcomes[1]).reason, "conflict")
          assert.deepStrictEqual(yield* names(store), ["ada", "eve"])
          assert.strictEqual((yield* store.counts).groups, 1)
          const sequences = yield* store.read(
            { text: "SELECT sequence FROM events ORDER BY position", values: [] },
            (row) => row["sequence"]
          )
          assert.deepStrictEqual(sequences, [1, 2])
        })
      )
    })
  )

  it.scopedLive("goes on with the chain where a change with events was refused in the middle", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* withStore(root, (store) =>
        Effect.gen(function* () {
          const write = (events: ReadonlyArray<RuntimeEvent>) => Effect.either(store.write({ statements: [], events }))
          const outcomes = yield* Effect.all(
            [
              write([eventOf("s", 1)]),
              write([eventOf("s", 2), { ...eventOf("s", 3), at: Number.NaN }]),
              write([eventOf("s", 4)])
            ],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(outcomes.map(Either.isRight), [true, false, true])
          const verdict = yield* verifyChain(store)
          assert.deepInclude(verdict, { sound: true, checked: 2 })
        })
      )
    })
  )

  it.scopedLive("answers closed after the store was closed", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const kept = yield* withStore(root, Effect.succeed)
      assert.strictEqual(
        failure(yield* Effect.either(kept.write({ statements: [insertName("p1", "ada")] }))).reason,
        "closed"
      )
      assert.strictEqual(failure(yield* Effect.either(names(kept))).reason, "closed")
    })
  )

  it.scopedLive("writes what was posted before it closes", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* withStore(root, (store) => store.post({ statements: [insertName("p1", "ada")] }))
      assert.deepStrictEqual(yield* withStore(root, names), ["ada"])
    })
  )

  it.scopedLive("says full where the disk is, changes nothing, and goes on when there is room", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* withStore(root, (store) =>
        Effect.gen(function* () {
          yield* store.write({ statements: [insertName("p1", "ada")] })
          yield* store.read({ text: "PRAGMA max_page_count = 1", values: [] }, () => undefined)
          const large = statement("INSERT INTO principals (id, name, created_at) VALUES (?, hex(zeroblob(2000000)), 0)")
          assert.strictEqual(failure(yield* Effect.either(store.write({ statements: [large("p2")] }))).reason, "full")
          // What nobody waits for is refused too while nothing can be written.
          assert.strictEqual(failure(yield* Effect.either(store.post({ statements: [large("p2")] }))).reason, "full")
          assert.deepStrictEqual(yield* names(store), ["ada"])
          yield* store.read({ text: "PRAGMA max_page_count = 1000000", values: [] }, () => undefined)
          yield* store.post({ statements: [insertName("p3", "eve")] })
          yield* store.write({ statements: [insertName("p4", "joe")] })
          assert.deepStrictEqual(yield* names(store), ["ada", "eve", "joe"])
        })
      )
    })
  )
})

describe("two processes on one home", () => {
  it.scopedLive("write side by side: nothing lost, one chain", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* made(root)
      const others = yield* Effect.all([
        child("open-store.mjs", [root, "events"]),
        child("open-store.mjs", [root, "events"])
      ])
      const both = yield* Effect.fork(Effect.promise(() => Promise.all(others.map(({ ended }) => ended))))
      const mine = yield* withStore(root, (store) =>
        Effect.gen(function* () {
          let written = 0
          while ((yield* Fiber.poll(both))._tag === "None") {
            yield* store.write({ statements: [], events: [eventOf("shared")] })
            yield* store.post({ statements: [], events: [eventOf("shared")] })
            written += 2
          }
          return written
        })
      )
      assert.deepStrictEqual(yield* Fiber.join(both), [0, 0], others.map(({ errors }) => errors.join("")).join(""))
      const other = yield* child("open-store.mjs", [root, "verify"])
      yield* Effect.promise(() => other.ended)
      assert.deepStrictEqual(other.lines, [`sound ${mine + 400}`], other.errors.join(""))
    })
  )

  it.scopedLive("waits for a lock that is let go, and says locked where it is not", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      yield* made(root)
      const holder = yield* child("open-store.mjs", [root, "hold", "300"])
      yield* said(holder, "holding")
      yield* Effect.scoped(
        withStore(root, (store) =>
          Effect.gen(function* () {
            // Nothing of this process stands still meanwhile.
            const ticks = yield* Effect.fork(Effect.repeatN(Effect.sleep(10), 10))
            yield* store.write({ statements: [insertName("p2", "bob")] })
            yield* ticks.await
            const longer = yield* child("open-store.mjs", [root, "hold", "20000"])
            yield* said(longer, "holding")
            const began = performance.now()
            const outcome = yield* Effect.either(store.write({ statements: [insertName("p3", "eve")] }))
            assert.strictEqual(failure(outcome).reason, "locked")
            assert.isBelow(performance.now() - began, 6_000)
          })
        )
      )
    })
  )
})
