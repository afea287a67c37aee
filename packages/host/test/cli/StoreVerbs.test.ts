/** The verbs over the store as a file, over real homes. */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { retentionResource } from "@gatehouse/control-plane/maintenance/DailyRetention"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { statement } from "@gatehouse/control-plane/Statement"
import { Store } from "@gatehouse/control-plane/Store"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import { SessionId } from "@gatehouse/core/Identifiers"
import { localStoreLayer } from "@gatehouse/host/cli/LocalStore"
import { runBackup, runRestore } from "@gatehouse/host/cli/verbs/Backup"
import { runDoctor } from "@gatehouse/host/cli/verbs/Doctor"
import { runEventsExport, runEventsVerify } from "@gatehouse/host/cli/verbs/Events"
import { runSessionsList, runSessionsShow } from "@gatehouse/host/cli/verbs/Sessions"
import { runSessionsRepair } from "@gatehouse/host/cli/verbs/SessionsRepair"
import { runStoreAside, runStorePrune, runStoreVerify } from "@gatehouse/host/cli/verbs/StoreFile"
import { runTasksFollow } from "@gatehouse/host/cli/verbs/TasksFollow"
import { hostLayer } from "@gatehouse/host/Host"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type CliPlace, cliPlace, commandLayer } from "../support/CliPlace.ts"

const withPlace = <A, E, R>(
  use: (place: CliPlace) => Effect.Effect<A, E, R>,
  files: Readonly<Record<string, string>> = {}
) => Effect.flatMap(cliPlace(files), (place) => Effect.provide(use(place), commandLayer(place))).pipe(Effect.scoped)

const inStore = <A, E, R>(place: CliPlace, effect: Effect.Effect<A, E, R>) =>
  Effect.provide(effect, localStoreLayer(place.places.home))

const args = (place: CliPlace, json = true) => ({ home: place.places.home, json })
const lastOf = (place: CliPlace): string => place.said.result.at(-1) ?? ""

/** A session with a message, in the store of the place's home. */
const filled = (place: CliPlace) =>
  inStore(
    place,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { local } = yield* Principals
      const session = yield* sessions.create(local, { title: "kept", coreRoot: null })
      yield* sessions.append(local, session.id, [{ role: "user", text: "remember me" }])
      yield* (yield* EventLog).publish({
        type: "test",
        session: session.id,
        turn: null,
        call: null,
        at: 1,
        data: { n: 1 }
      })
      return session
    })
  )

describe("gatehouse backup and restore", () => {
  it.live("bring a store into another home, verified", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const { id } = yield* filled(place)
        const file = join(place.root, "backup.db")
        yield* runBackup({ ...args(place), file })
        assert.deepInclude(JSON.parse(lastOf(place)), { path: file, sound: true, problems: [] })
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        const again = yield* Effect.flip(runBackup({ ...args(place), file }))
        assert.match(again.message, /exists already/)

        const other = Option.some(join(place.root, "other"))
        yield* runRestore({ home: other, json: true, file })
        yield* runSessionsShow({ home: other, json: false, id })
        assert.deepStrictEqual(place.said.result.slice(-2), [`${id}  kept`, "user: remember me"])
        const twice = yield* Effect.flip(runRestore({ home: other, json: true, file }))
        assert.match(twice.message, /exists already/)
        assert.match(twice.remedy, /store aside/)
      })
    )
  )

  it.live("take no file that is damaged, missing, or no store", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* filled(place)
        const file = join(place.root, "backup.db")
        yield* runBackup({ ...args(place), file })
        const bytes = readFileSync(file)
        const changed = Buffer.from(bytes.toString("latin1").replace('{"n":1}', '{"n":2}'), "latin1")
        assert.isFalse(changed.equals(bytes))
        writeFileSync(file, changed)
        const other = { home: Option.some(join(place.root, "other")), json: false }
        const unsound = yield* Effect.flip(runRestore({ ...other, file }))
        assert.match(unsound.message, /NOT SOUND/)
        assert.isFalse(existsSync(join(place.root, "other", "store.db")))
        const missing = yield* Effect.flip(runRestore({ ...other, file: join(place.root, "nothing") }))
        assert.strictEqual(missing.status, "not_found")
        writeFileSync(join(place.root, "text"), "no store")
        assert.match(
          (yield* Effect.flip(runRestore({ ...other, file: join(place.root, "text") }))).message,
          /damaged|no store/
        )
        const nowhere = yield* Effect.flip(runBackup({ ...args(place), file: join(place.root, "none", "backup.db") }))
        assert.strictEqual(nowhere.status, "not_found")
      })
    )
  )
})

describe("a damaged store", () => {
  it.live("is named by doctor with what to do, left as it is, and moved aside when asked", () =>
    withPlace(
      (place) =>
        Effect.gen(function* () {
          yield* filled(place)
          const path = join(place.home, "store.db")
          const damaged = readFileSync(path).fill(7, 0, 4_096)
          writeFileSync(path, damaged)
          yield* Effect.exit(runDoctor({ ...place.places, json: true }))
          const findings: ReadonlyArray<Record<string, string>> = JSON.parse(lastOf(place))
          const finding = findings.find(({ subject }) => subject === "store")
          assert.strictEqual(finding?.["state"], "error")
          assert.match(finding?.["detail"] ?? "", /store\.db/)
          assert.match(finding?.["remedy"] ?? "", /gatehouse store aside/)
          assert.isTrue(readFileSync(path).equals(damaged), "the damaged store was changed")

          yield* runStoreAside(args(place))
          const { aside } = JSON.parse(lastOf(place))
          assert.isTrue(readFileSync(aside).equals(damaged))
          yield* runSessionsList(args(place))
          assert.strictEqual(lastOf(place), "[]")
        }),
      { "core/agent.yaml": "agent: { id: test }\n" }
    )
  )

  it.live("is found by verify, page by page", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* filled(place)
        yield* runStoreVerify(args(place))
        assert.deepInclude(JSON.parse(lastOf(place)), { sound: true })
        yield* inStore(
          place,
          Effect.flatMap(Store, (store) =>
            store.write({ statements: [statement("UPDATE events SET data = ?")('{"n":2}')] })
          )
        )
        assert.strictEqual((yield* Effect.flip(runStoreVerify(args(place)))).status, "failed")
        assert.deepInclude(JSON.parse(lastOf(place)), { sound: false })
        assert.strictEqual((yield* Effect.flip(runEventsVerify(args(place)))).status, "failed")
      })
    )
  )
})

describe("gatehouse sessions repair", () => {
  const legacy = (place: CliPlace, id: string) =>
    inStore(
      place,
      Effect.flatMap(Store, (store) =>
        store.write({
          statements: [
            statement(
              `INSERT INTO sessions (owner, id, kind, title, created_at, updated_at) VALUES ('', ?, 'legacy_local', 'old', 1, 1)`
            )(id)
          ]
        })
      )
    )

  it.live("lists what nobody owns, gives it to whom it is told to, and nothing where one is not there", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* legacy(place, "session_old")
        yield* legacy(place, "session_older")
        yield* runSessionsList(args(place))
        assert.strictEqual(lastOf(place), "[]")
        const repair = { ...args(place), owner: "local" }
        yield* runSessionsRepair({ ...repair, ids: [] })
        assert.strictEqual(JSON.parse(lastOf(place)).length, 2)
        const refused = yield* Effect.flip(runSessionsRepair({ ...repair, ids: ["session_old", "session_new"] }))
        assert.strictEqual(refused.status, "not_found")
        assert.match(refused.message, /session_new; nothing was changed/)
        yield* runSessionsRepair({ ...repair, ids: ["session_old"] })
        assert.deepStrictEqual(JSON.parse(lastOf(place)), { owner: "local", adopted: ["session_old"] })
        yield* runSessionsRepair({ ...repair, ids: ["session_older"], owner: "ann" })
        yield* runSessionsList(args(place))
        const owners: ReadonlyArray<{ readonly owner: string }> = JSON.parse(lastOf(place))
        assert.strictEqual(new Set(owners.map(({ owner }) => owner)).size, 2)
      })
    )
  )
})

describe("gatehouse tasks follow", () => {
  it.live("shows what is there and what comes, until the task has ended, and ends as it did", () =>
    withPlace((place) =>
      inStore(
        place,
        Effect.gen(function* () {
          const tasks = yield* Tasks
          const { local } = yield* Principals
          const lease = yield* tasks.start(local, {
            session: SessionId("session"),
            turn: null,
            kind: "test",
            tool: "test",
            summary: "follows",
            writeScope: "",
            metadata: null
          })
          const output = tasks.output(lease)
          yield* output.write("stdout", "first\n")
          const fiber = yield* Effect.fork(Effect.flip(runTasksFollow({ ...args(place), id: lease.id })))
          yield* Effect.sleep(400)
          yield* output.write("stderr", "second\n")
          yield* tasks.end(lease, {
            status: "failed",
            summary: null,
            resultReference: null,
            returnCode: 3,
            exitReason: "exited with 3"
          })
          const end = yield* Fiber.join(fiber)
          assert.strictEqual(end.status, "failed")
          const lines: ReadonlyArray<Record<string, unknown>> = place.said.result.map((line) => JSON.parse(line))
          assert.deepStrictEqual(
            lines.map((line): Record<string, unknown> => ({ ...line, at: undefined })),
            [
              { sequence: 1, stream: "stdout", text: "first\n", at: undefined },
              { sequence: 2, stream: "stderr", text: "second\n", at: undefined },
              { status: "failed", returnCode: 3, exitReason: "exited with 3", at: undefined }
            ]
          )
          assert.strictEqual((yield* tasks.get(local, lease.id))?.completion, "pending")
          const missing = yield* Effect.flip(runTasksFollow({ ...args(place), id: "task_missing" }))
          assert.strictEqual(missing.status, "not_found")
        })
      )
    )
  )
})

describe("gatehouse events export", () => {
  it.live("writes a line for each event, and tells where the log ends", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const { id } = yield* filled(place)
        const all = { home: place.places.home, session: Option.none<string>(), call: Option.none<string>() }
        yield* runEventsExport({ ...all, session: Option.some<string>(id) })
        assert.deepInclude(JSON.parse(lastOf(place)), { session: id, type: "test", data: { n: 1 } })
        assert.strictEqual(place.said.result.length, 1)
        assert.match(place.said.note.at(-1) ?? "", /^1 events; the log ends at \d+ [0-9a-f]{64}$/)
      })
    )
  )
})

describe("retention", () => {
  const settings = "retention: { event_days: 1, record_days: 1 }\n"
  const old = (place: CliPlace) =>
    inStore(
      place,
      Effect.gen(function* () {
        yield* (yield* EventLog).publish({
          type: "old",
          session: SessionId("s"),
          turn: null,
          call: null,
          at: 1,
          data: null
        })
        // Written before the next statement, for writes keep their order.
        yield* (yield* Store).write({ statements: [] })
      })
    )
  const host = (place: CliPlace) =>
    Layer.unwrapEffect(
      Effect.map(decodeSettings(settings), (placed) =>
        hostLayer({ settings: placed, environment: {}, platform: "posix", userHome: place.root })
      )
    ).pipe(Layer.provide(ApprovalPrompter.layerNever), Layer.provideMerge(homeLayer(place.home)))
  const types = Effect.gen(function* () {
    const operator = yield* (yield* Principals).operator("test")
    const events = yield* (yield* EventLog).read(operator, {})
    return events.map(({ type }) => type)
  })
  const heldAt = (at: number) =>
    Effect.flatMap(Store, (store) =>
      store.write({
        statements: [statement("UPDATE leases SET acquired_at = ? WHERE resource = ?")(at, retentionResource)]
      })
    )

  it.live("is applied by prune, under the home's settings", () =>
    withPlace(
      (place) =>
        Effect.gen(function* () {
          yield* old(place)
          yield* runStorePrune(args(place))
          assert.deepInclude(JSON.parse(lastOf(place)), { events: 1 })
        }),
      { "home/settings.yaml": settings }
    )
  )

  it.live("is applied by a host once a day, and by a new home's first host a day later", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* old(place)
        const seen = (wait: number) => Effect.provide(Effect.zipRight(Effect.sleep(wait), types), host(place))
        assert.include(yield* seen(300), "old")
        assert.include(yield* seen(300), "old")
        yield* inStore(place, heldAt(Date.now() - 86_500_000))
        assert.notInclude(yield* seen(500), "old")
      })
    )
  )
})
