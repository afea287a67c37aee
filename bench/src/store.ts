/** The store: group commit against a commit per row, look-ups against a raw `get`, search against a scan, followers. */

import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type ControlPlane, controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { insertIntent, upsertOutcome } from "@gatehouse/control-plane/effects/EffectRows"
import { chain, chainStart } from "@gatehouse/control-plane/events/EventChain"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { type Statement, statement } from "@gatehouse/control-plane/Statement"
import { Store, storeFileName } from "@gatehouse/control-plane/Store"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { fingerprint } from "@gatehouse/core/Fingerprint"
import { Home } from "@gatehouse/core/Home"
import { CallId, CatalogId, CoreRevision, SessionId, TaskId, TurnId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import Database from "better-sqlite3"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { BenchRow } from "../lib/BenchRow.ts"

const inFlight = 32
const effectsEach = 100
/** Intent, outcome and one event. */
const rowsOfOne = 3
const eachCount = 100
const rounds = 7
const smallTable = 10_000
const largeTable = 1_000_000
const lookups = 20_000
const pairOf = 500
const messageCount = 100_000
const followers = 20
const eventRate = 10_000
const followedSeconds = 6

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

const inHome = async <A>(use: (root: string) => Promise<A>): Promise<A> => {
  const root = mkdtempSync(join(tmpdir(), "gatehouse-bench-"))
  try {
    return await use(root)
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

// The loader of this file hands out modules behind proxies: what a loop uses is taken from them once.
const { forEach, zipRight } = Effect

const withPlane = <A, E>(root: string, effect: Effect.Effect<A, E, ControlPlane>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(effect, Layer.provide(controlPlaneLayer, Layer.succeed(Home, { root, key: new Uint8Array(32) })))
  )

/** Wall and CPU microseconds of `work`. */
const timed = async (work: () => unknown): Promise<{ readonly wall: number; readonly cpu: number }> => {
  globalThis.gc?.()
  const cpu = process.cpuUsage()
  const begin = performance.now()
  await work()
  const used = process.cpuUsage(cpu)
  return { wall: (performance.now() - begin) * 1_000, cpu: used.user + used.system }
}

const entry: EffectEntry = {
  name: "write_file",
  source: "builtin",
  description: "",
  inputSchema: {},
  capability: "fs.write",
  risk: "medium",
  policy: { effective: "auto", decidedBy: "builtin" },
  readOnly: false,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  coreRevision: CoreRevision("rev"),
  provenance: "builtin write_file",
  component: null,
  metadata: null,
  fingerprint: fingerprint("entry")
}

const turnOf = (principal: PrincipalScope): TurnContext => ({
  id: TurnId("turn_1"),
  principal,
  session: SessionId("session_1"),
  coreRevision: CoreRevision("rev"),
  coreRoot: "/core",
  capabilities: { fingerprint: fingerprint([]), defaults: [], components: {} },
  workspace: "/workspace",
  deadline: null,
  route: "none",
  cancellation: new AbortController().signal
})

const view = { text: "wrote 120 characters to src/notes/today.md", data: { bytes: 120, created: false } }

const intentOf = (turn: TurnContext, call: string) => ({
  callId: CallId(call),
  turn,
  entry,
  action: "write",
  target: "src/notes/today.md",
  readOnly: false,
  writeScope: null,
  request: { path: "src/notes/today.md", text: "<120 characters>" },
  at: 1_760_000_000_000
})

const resultOf = (call: string): EffectResult => ({
  callId: CallId(call),
  tool: "write_file",
  catalog: CatalogId("catalog"),
  status: "succeeded",
  executionStarted: true,
  mayHaveHappened: false,
  error: null,
  provenance: "builtin write_file",
  stages: (
    ["binding", "principal", "capability", "preflight", "approval", "secrets", "adapter", "settle"] as const
  ).map((stage) => ({ stage, verdict: "passed", rule: "a rule of some twenty characters", micros: 12 })),
  views: { model: view, operator: view, event: view, durable: view, debug: view }
})

/** The same rows of `count` calls, as raw better-sqlite3 writes them: `group` rows of a kind in a transaction. */
const raw = (root: string, count: number, group: number, turn: TurnContext, prefix: string) => {
  const database = new Database(join(root, storeFileName))
  database.pragma("synchronous = FULL")
  const run = ({ text, values }: Statement): void => {
    const prepared = statements.get(text) ?? database.prepare(text)
    statements.set(text, prepared)
    if (prepared.reader) prepared.all(...values)
    else prepared.run(...values)
  }
  const statements = new Map<string, Database.Statement>()
  let head = chain(
    { ...chainStart, position: Number(database.prepare("SELECT max(position) FROM events").pluck().get()) + 1_000_000 },
    1,
    settledEvent(turn, prefix)
  )
  const together = (rows: ReadonlyArray<() => Statement>): void => {
    database.exec("BEGIN IMMEDIATE")
    for (const row of rows) run(row())
    database.exec("COMMIT")
  }
  return (): void => {
    for (let start = 0; start < count; start += group) {
      // The same order of ids as 32 fibers make it.
      const calls = Array.from({ length: group }, (_, offset) => `${prefix}_${offset}_${start}`)
      together(calls.map((call) => () => insertIntent(intentOf(turn, call), "raw")))
      together(
        calls.map((call) => () => upsertOutcome(turn, resultOf(call), view, 1_760_000_000_001, "raw", undefined))
      )
      together(
        calls.map((call) => () => {
          head = chain(head, head.position + 1, settledEvent(turn, call))
          const { position, session, sequence, type, at, data, hash } = head
          return insertEvent(position, session, sequence, turn.id, call, type, at, data, hash)
        })
      )
    }
    database.close()
  }
}

const insertEvent = statement(
  "INSERT INTO events (position, session, sequence, turn, call, type, at, data, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)

const settledEvent = (turn: TurnContext, call: string) => ({
  type: "effect.settled",
  session: turn.session,
  turn: turn.id,
  call: CallId(call),
  at: 1_760_000_000_001,
  data: { tool: "write_file", status: "succeeded", text: view.text }
})

const writing = (): Promise<ReadonlyArray<BenchRow>> =>
  inHome(async (root) => {
    const count = inFlight * effectsEach
    const measured = await withPlane(
      root,
      Effect.gen(function* () {
        const records = yield* EffectRecords
        const store = yield* Store
        const turn = turnOf((yield* Principals).local)
        const log = yield* EventLog
        const one = (call: string) =>
          zipRight(
            records.intend(intentOf(turn, call)),
            zipRight(
              records.settle({ turn, result: resultOf(call), durable: view, at: 1_760_000_000_001 }),
              log.publish(settledEvent(turn, call))
            )
          )
        const ours = (round: number) =>
          forEach(
            Array.from({ length: inFlight }, (_, fiber) => fiber),
            (fiber) =>
              forEach(
                Array.from({ length: effectsEach }, (_, index) => index),
                (index) => one(`ours_${round}_${fiber}_${index}`),
                {
                  discard: true
                }
              ),
            { concurrency: inFlight, discard: true }
          )
        const rows: Array<{
          ours: { wall: number; cpu: number }
          batch: { wall: number; cpu: number }
          each: number
          syncs: number
        }> = []
        for (let round = 0; round < rounds; round++) {
          const batch = yield* Effect.promise(() => timed(raw(root, count, inFlight, turn, `batch_${round}`)))
          const before = (yield* store.counts).synchronised
          const mine = yield* Effect.promise(() => timed(() => Effect.runPromise(ours(round))))
          const syncs = (yield* store.counts).synchronised - before
          const each = yield* Effect.promise(() => timed(raw(root, eachCount, 1, turn, `each_${round}`)))
          rows.push({ ours: mine, batch, each: each.wall / (eachCount * rowsOfOne), syncs: syncs / count })
        }
        return rows
      })
    )
    const perRow = (wall: number): number => wall / (count * rowsOfOne)
    return [
      {
        name: "rows a second of 32 effects in flight to a commit per row",
        value: median(measured.map(({ ours, each }) => each / perRow(ours.wall))),
        limit: 12,
        atLeast: true,
        unit: "times"
      },
      {
        name: "synchronisations of the disk for an effect",
        value: median(measured.map(({ syncs }) => syncs)),
        limit: 1 / 16,
        unit: "times"
      },
      {
        name: "CPU of a row to raw better-sqlite3 in batches of 32",
        value: median(measured.map(({ ours, batch }) => ours.cpu / batch.cpu)),
        limit: 1.3,
        unit: "times"
      }
    ]
  })

const fillTasks = (root: string, owner: string, from: number, to: number): void => {
  const database = new Database(join(root, storeFileName))
  database.pragma("synchronous = OFF")
  const insert = database.prepare(
    `INSERT INTO tasks (owner, id, session, turn, kind, tool, status, summary, write_scope, metadata, completion, host,
       fence, created_at, updated_at, ended_at)
     VALUES (?, ?, 's', 't', 'terminal.exec', 'terminal', 'succeeded', 'ran', '', '{"cwd":"."}', 'consumed', 'h', 1, ?, ?, ?)`
  )
  database.exec("BEGIN")
  for (let index = from; index < to; index++) insert.run(owner, `task_${scattered(index)}`, index, index, index)
  database.exec("COMMIT")
  database.close()
}

/** Ids are random: spread over the key, and made anew from their number. */
const scattered = (index: number): string => fingerprint(index).slice(0, 32)

const lookingUp = (): Promise<ReadonlyArray<BenchRow>> =>
  inHome(async (root) => {
    await withPlane(root, Effect.void)
    const measure = () =>
      withPlane(
        root,
        Effect.gen(function* () {
          const tasks = yield* Tasks
          const principals = yield* Principals
          const { local } = principals
          const foreign = yield* principals.user("foreign")
          const database = new Database(join(root, storeFileName), { readonly: true })
          const total = Number(database.prepare("SELECT count(*) FROM tasks").pluck().get())
          const get = database.prepare("SELECT * FROM tasks WHERE owner = ? AND id = ?")
          const known = Array.from({ length: lookups }, (_, index) =>
            TaskId(`task_${scattered(Math.floor((index * total) / lookups))}`)
          )
          const missing = known.map((id) => TaskId(`${id.slice(0, -1)}x`))
          const ours = (scope: PrincipalScope, ids: ReadonlyArray<TaskId>) =>
            Effect.promise(() =>
              timed(() => Effect.runPromise(forEach(ids, (id) => tasks.get(scope, id), { discard: true })))
            )
          // Side by side in small parts, so that what other programs take away falls on both.
          const found: Array<{ ours: number; raw: number }> = []
          const pairs: Array<number> = []
          for (let start = 0; start < lookups; start += pairOf) {
            const ids = known.slice(start, start + pairOf)
            const byHand = yield* Effect.promise(() =>
              timed(() => {
                for (const id of ids) get.get(local.id, id)
              })
            )
            found.push({ ours: (yield* ours(local, ids)).cpu, raw: byHand.cpu })
            const theirs = yield* ours(foreign, ids)
            const none = yield* ours(foreign, missing.slice(start, start + pairOf))
            pairs.push(theirs.cpu / none.cpu)
          }
          database.close()
          return {
            ratio: median(found.map(({ ours, raw }) => ours / raw)),
            time: median(found.map(({ ours }) => ours)),
            rawTime: median(found.map(({ raw }) => raw)),
            foreign: median(pairs)
          }
        })
      )
    const owner = await withPlane(
      root,
      Effect.map(Principals, ({ local }) => local.id)
    )
    fillTasks(root, owner, 0, smallTable)
    const small = await measure()
    fillTasks(root, owner, smallTable, largeTable)
    const large = await measure()
    return [
      {
        name: "look-up by owner and id among 1,000,000 tasks to a raw prepared get",
        value: large.ratio,
        limit: 1.2,
        unit: "times"
      },
      {
        name: "the same among 1,000,000 to among 10,000, less what raw gets differ",
        value: large.time / small.time / (large.rawTime / small.rawTime),
        limit: 1.2,
        unit: "times"
      },
      {
        name: "a foreign id to a missing one, away from 1",
        value: Math.abs(large.foreign - 1),
        limit: 0.1,
        unit: "times"
      }
    ]
  })

const searching = (): Promise<ReadonlyArray<BenchRow>> =>
  inHome((root) =>
    withPlane(
      root,
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const { local } = yield* Principals
        const { id } = yield* sessions.create(local, { title: "bench", coreRoot: null })
        const words = [
          "gate",
          "house",
          "effect",
          "runtime",
          "catalog",
          "policy",
          "approval",
          "process",
          "server",
          "file"
        ]
        const message = (index: number) => ({
          role: "user",
          text:
            Array.from({ length: 30 }, (_, word) => words[(index * 7 + word * word) % words.length]).join(" ") +
            (index % 10_000 === 0 ? " needle" : "")
        })
        for (let start = 0; start < messageCount; start += 1_000) {
          yield* sessions.append(
            local,
            id,
            Array.from({ length: 1_000 }, (_, index) => message(start + index))
          )
        }
        const database = new Database(join(root, storeFileName), { readonly: true })
        const scan = database.prepare(
          "SELECT position, text FROM messages WHERE text LIKE '%needle%' ORDER BY position DESC LIMIT 10"
        )
        const rows: Array<number> = []
        for (let round = 0; round < rounds; round++) {
          const scanned = yield* Effect.promise(() => timed(() => scan.all()))
          const searched = yield* Effect.promise(() =>
            timed(() => Effect.runPromise(Effect.repeatN(sessions.search(local, { session: id, text: "needle" }), 99)))
          )
          rows.push(searched.wall / 100 / scanned.wall)
        }
        database.close()
        return [
          {
            name: "search of 100,000 messages, newest first, to a scan",
            value: median(rows),
            limit: 1 / 300,
            unit: "times"
          }
        ]
      })
    )
  )

const following = (): Promise<ReadonlyArray<BenchRow>> =>
  inHome((root) =>
    withPlane(
      root,
      Effect.gen(function* () {
        const log = yield* EventLog
        const operator = yield* (yield* Principals).operator("bench")
        let seen = 0
        yield* Effect.forEach(
          Array.from({ length: followers }),
          () => Effect.fork(Stream.runForEach(log.follow(operator, {}), () => Effect.sync(() => void seen++))),
          { discard: true }
        )
        const event = {
          type: "bench.event",
          session: SessionId("bench"),
          turn: null,
          call: null,
          at: 0,
          data: { text: "x".repeat(100) }
        }
        const sizes: Array<number> = []
        const begin = performance.now()
        const cpu = process.cpuUsage()
        let sent = 0
        while (performance.now() - begin < followedSeconds * 1_000) {
          const due = Math.floor(((performance.now() - begin) / 1_000) * eventRate)
          for (; sent < due; sent++) yield* log.publish({ ...event, session: SessionId(`bench_${sent % 8}`) })
          if (sizes.length < performance.now() / 1_000 - begin / 1_000) {
            globalThis.gc?.()
            sizes.push(process.memoryUsage().heapUsed + process.memoryUsage().external)
          }
          yield* Effect.sleep(2)
        }
        const used = process.cpuUsage(cpu)
        yield* Effect.sleep(1_000)
        const growth = ((sizes.at(-1) ?? 0) - (sizes[2] ?? 0)) / 1_048_576
        return [
          {
            name: "events a second that were published",
            value: sent / followedSeconds,
            limit: eventRate * 0.98,
            atLeast: true,
            unit: "events"
          },
          {
            name: "of these, seen by each of 20 followers a second later",
            value: seen / followers / sent,
            limit: 0.99,
            atLeast: true,
            unit: "of 1"
          },
          { name: "growth of the heap over the last seconds of it", value: growth, limit: 16, unit: "MiB" },
          {
            name: "CPU of one core meanwhile",
            value: (used.user + used.system) / 1e6 / followedSeconds,
            limit: 1.5,
            unit: "cores"
          }
        ]
      })
    )
  )

/** Opening an existing store in a fresh process, the loading of the native module included. */
const opening = (): Promise<ReadonlyArray<BenchRow>> =>
  inHome(async (root) => {
    await withPlane(root, Effect.void)
    const script = join(dirname(fileURLToPath(import.meta.url)), `../.open-${process.pid}.mjs`)
    writeFileSync(
      script,
      `import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { Home } from "@gatehouse/core/Home"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
const home = Layer.succeed(Home, { root: ${JSON.stringify(root)}, key: new Uint8Array(32) })
await Effect.runPromise(Effect.void)
const begin = process.cpuUsage()
const said = Effect.sync(() => {
  const { user, system } = process.cpuUsage(begin)
  console.log((user + system) / 1000)
})
await Effect.runPromise(Effect.provide(said, Layer.provide(controlPlaneLayer, home)))
`
    )
    try {
      const times = Array.from({ length: 9 }, () =>
        Number(spawnSync(process.execPath, [script], { encoding: "utf8" }).stdout)
      )
      return [
        { name: "CPU of opening an existing store in a fresh process", value: median(times), limit: 30, unit: "ms" }
      ]
    } finally {
      rmSync(script, { force: true })
    }
  })

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => [
  ...(await opening()),
  ...(await writing()),
  ...(await searching()),
  ...(await following()),
  ...(await lookingUp())
]
