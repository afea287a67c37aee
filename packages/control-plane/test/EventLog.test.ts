/** One log: in order, without gaps, and what was changed by hand is found. */

import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import {
  type ChainedEvent,
  type ChainHead,
  chain,
  chainStart,
  walkChain
} from "@gatehouse/control-plane/events/EventChain"
import { EventLog, exportLine } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { statement } from "@gatehouse/control-plane/Statement"
import { Store } from "@gatehouse/control-plane/Store"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { eventOf } from "./support/values.ts"

const provided = Effect.provide(controlPlaneLayerMemory)

const operator = Effect.flatMap(Principals, (principals) => principals.operator("test"))

/** Publishes `count` events to two sessions in turn and waits until they are written. */
const published = (count: number) =>
  Effect.gen(function* () {
    const events = yield* RuntimeEvents
    for (let number = 0; number < count; number++) yield* events.publish(eventOf(`session_${number % 2}`, number))
    yield* (yield* Store).write({ statements: [] })
  })

const alter = (sql: string) => Effect.flatMap(Store, (store) => store.write({ statements: [statement(sql)()] }))

describe("the log", () => {
  it.live("numbers the events of each session without gaps, in the order they came", () =>
    Effect.gen(function* () {
      yield* published(500)
      const log = yield* EventLog
      const events = yield* log.read(yield* operator, {})
      for (const session of ["session_0", "session_1"]) {
        const of = events.filter((event) => event.session === session)
        assert.deepStrictEqual(
          of.map(({ sequence }) => sequence),
          of.map((_, index) => index + 1)
        )
        assert.deepStrictEqual(
          of.map(({ data }) => JSON.parse(data).number),
          of.map((_, index) => index * 2 + Number(session.at(-1)))
        )
      }
      assert.deepStrictEqual(
        events.map(({ position }) => position),
        events.map((_, index) => index + 1)
      )
    }).pipe(provided)
  )

  it.live("shows a user the events of its own sessions only", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      const principals = yield* Principals
      const ada = yield* principals.user("ada")
      const own = yield* (yield* Sessions).create(ada, { title: "mine", coreRoot: null })
      yield* (yield* RuntimeEvents).publish(eventOf(own.id, 1))
      yield* published(4)
      assert.deepStrictEqual(
        (yield* log.read(ada, {})).map(({ session }) => session),
        [own.id]
      )
      assert.lengthOf(yield* log.read(principals.local, {}), 0)
      assert.lengthOf(yield* log.read(yield* operator, {}), 6)
      const refused = yield* Effect.flip(log.verify(ada))
      assert.strictEqual(refused._tag, "ScopeRefused")
    }).pipe(provided)
  )

  it.live("is followed from the past into the future, each event once", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* published(700)
      const scope = yield* operator
      const followers = yield* Effect.forEach([0, 650, 701], (after) =>
        Effect.fork(Stream.runCollect(Stream.take(log.follow(scope, { after }), 1_401 - after)))
      )
      yield* published(700)
      for (const [index, follower] of followers.entries()) {
        const positions = Chunk.toReadonlyArray(yield* Fiber.join(follower)).map(({ position }) => position)
        const after = [0, 650, 701][index] ?? 0
        assert.deepStrictEqual(
          positions,
          positions.map((_, offset) => after + offset + 1)
        )
      }
    }).pipe(provided)
  )

  it.live("exports lines that anybody can read and verify", () =>
    Effect.gen(function* () {
      const log = yield* EventLog
      yield* published(1_200)
      const lines = Chunk.toReadonlyArray(yield* Stream.runCollect(log.export(yield* operator, {})))
      assert.lengthOf(lines, 1_201)
      const walk = walkChain(chainStart)
      for (const line of lines) {
        const { data, ...event } = JSON.parse(line)
        walk.visit({ ...event, data: JSON.stringify(data) })
      }
      assert.isTrue(walk.finish(yield* log.head, null).sound)
    }).pipe(provided)
  )

  it.live("keeps what does not survive UTF-8 as it can be verified", () =>
    Effect.gen(function* () {
      const events = yield* RuntimeEvents
      yield* events.publish({ ...eventOf("half \ud800 pair"), type: "nul \0 and \u2028", data: { "\udfff": "\ud800" } })
      yield* events.publish(eventOf("half \ud800 pair"))
      const verdict = yield* (yield* EventLog).verify(yield* operator)
      assert.deepStrictEqual(verdict.faults, [])
      assert.strictEqual(verdict.checked, 3)
    }).pipe(provided)
  )
})

describe("verify", () => {
  const cases: ReadonlyArray<readonly [string, string, string, number]> = [
    ["a changed field", "UPDATE events SET data = '{\"number\":9}' WHERE position = 5", "changed", 5],
    ["a changed time", "UPDATE events SET at = at + 1 WHERE position = 1", "changed", 1],
    ["a changed hash", `UPDATE events SET hash = '${"a".repeat(64)}' WHERE position = 7`, "changed", 7],
    ["a missing row", "DELETE FROM events WHERE position = 6", "missing", 6],
    ["a missing start", "DELETE FROM events WHERE position <= 2", "missing", 1],
    ["a missing end", "DELETE FROM events WHERE position >= 9", "missing", 9],
    ["no rows at all", "DELETE FROM events", "missing", 1],
    ["a renumbered session", "UPDATE events SET sequence = sequence + 1 WHERE position = 4", "changed", 4],
    [
      "an added row",
      "INSERT INTO events SELECT 99, session, 99, turn, call, type, at, data, hash FROM events WHERE position = 4",
      "added",
      99
    ]
  ]
  for (const [name, sql, problem, position] of cases) {
    it.live(`finds ${name}`, () =>
      Effect.gen(function* () {
        const log = yield* EventLog
        const scope = yield* operator
        yield* published(10)
        assert.isTrue((yield* log.verify(scope)).sound)
        yield* alter(sql)
        const verdict = yield* log.verify(scope)
        assert.isFalse(verdict.sound)
        assert.deepInclude(
          verdict.faults.map(({ position, problem }) => ({ position, problem })),
          { position, problem }
        )
      }).pipe(provided)
    )
  }

  it("finds any one change of any one event, and nothing else", () => {
    const chainOf = (count: number): ReadonlyArray<ChainedEvent> => {
      let head: ChainHead = chainStart
      return Array.from({ length: count }, (_, index) => {
        const event = chain(head, Math.floor(index / 2) + 1, eventOf(`session_${index % 2}`, index))
        head = event
        return event
      })
    }
    const changes: ReadonlyArray<(event: ChainedEvent) => ChainedEvent> = [
      (event) => ({ ...event, data: `${event.data} ` }),
      (event) => ({ ...event, at: event.at + 1 }),
      (event) => ({ ...event, type: `${event.type}x` }),
      (event) => ({ ...event, session: eventOf("other").session }),
      (event) => ({ ...event, hash: "f".repeat(64) })
    ]
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.nat(), fc.constantFrom(...changes), (count, pick, change) => {
        const events = chainOf(count)
        const at = pick % count
        const walk = (of: ReadonlyArray<ChainedEvent>) => {
          const walked = walkChain(chainStart)
          of.forEach(walked.visit)
          return walked.finish(events.at(-1) ?? chainStart, null)
        }
        assert.isTrue(walk(events).sound)
        assert.isFalse(walk(events.map((event, index) => (index === at ? change(event) : event))).sound)
        assert.isFalse(walk(events.filter((_, index) => index !== at)).sound)
      })
    )
  })

  it("writes one line of JSON for one event", () => {
    const event = chain(chainStart, 1, { ...eventOf("s"), data: { text: "a\nb\u2028c" } })
    const line = exportLine(event)
    assert.notInclude(line, "\n")
    assert.deepStrictEqual(JSON.parse(line), { ...event, data: { text: "a\nb\u2028c" } })
  })
})
