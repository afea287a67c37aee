import { createSecretKey } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { loweredLimits } from "@gatehouse/process/identity/LimitMark"
import {
  fateOf,
  formatHost,
  type HostIdentity,
  markOf,
  parseHost,
  readMark,
  spawnSeries
} from "@gatehouse/process/identity/SpawnMark"
import { bindStart, maySignal, type SignalQuestion } from "@gatehouse/process/identity/StartIdentity"
import * as FastCheck from "fast-check"
import { FakeTable } from "./FakeTable.ts"

const sound: SignalQuestion = {
  recorded: { pid: 4312, spawnId: "sp-1", start: "boot-a:1000", group: 4312 },
  observed: { pid: 4312, start: "boot-a:1000", group: 4312 },
  handleSpawnId: "sp-1",
  leaderExited: false,
  groupKnown: true,
  ownGroup: 77
}

describe("a signal is sent", () => {
  it("when everything agrees", () => {
    assert.deepStrictEqual(maySignal(sound), { signal: true, target: "group" })
  })

  it("to what an ended leader left, as long as it is known", () => {
    const left = { ...sound, observed: null, leaderExited: true }
    assert.isTrue(maySignal(left).signal)
    assert.isFalse(maySignal({ ...left, groupKnown: false }).signal)
    assert.isFalse(maySignal({ ...left, leaderExited: false }).signal)
  })

  const refusals: ReadonlyArray<[name: string, change: Partial<SignalQuestion>]> = [
    ["another start marker", { observed: { pid: 4312, start: "boot-a:1001", group: 4312 } }],
    ["the same ticks of another boot", { observed: { pid: 4312, start: "boot-b:1000", group: 4312 } }],
    [
      "another start marker after the leader's end",
      { observed: { pid: 4312, start: "boot-a:9", group: 4312 }, leaderExited: true }
    ],
    ["an unreadable start marker", { observed: { pid: 4312, start: null, group: 4312 } }],
    ["another pid", { observed: { pid: 4313, start: "boot-a:1000", group: 4312 } }],
    ["another group", { observed: { pid: 4312, start: "boot-a:1000", group: 1 } }],
    ["the handle of another spawn", { handleSpawnId: "sp-2" }],
    ["no recorded marker", { recorded: { ...sound.recorded, start: null } }],
    ["the host's own group", { ownGroup: 4312 }],
    ...[0, 1, -1, -4312, 1.5, Number.NaN].map((pid): [string, Partial<SignalQuestion>] => [
      `pid ${pid}`,
      { recorded: { ...sound.recorded, pid, group: pid } }
    ])
  ]
  for (const [name, change] of refusals) {
    it(`never with ${name}`, () => {
      assert.isFalse(maySignal({ ...sound, ...change }).signal)
    })
  }

  it("never to a number that is now somebody else's, whatever else is claimed", () => {
    const text = FastCheck.string({ minLength: 1 })
    FastCheck.assert(
      FastCheck.property(
        text,
        text,
        FastCheck.boolean(),
        FastCheck.boolean(),
        (recorded, observed, leaderExited, groupKnown) => {
          FastCheck.pre(recorded !== observed)
          const question = {
            ...sound,
            recorded: { ...sound.recorded, start: recorded },
            observed: { ...sound.recorded, start: observed },
            leaderExited,
            groupKnown
          }
          assert.isFalse(maySignal(question).signal)
        }
      )
    )
  })
})

describe("binding a fresh child", () => {
  it("takes its start marker, or the fact that it ended first, and nothing else", () => {
    assert.deepStrictEqual(bindStart("sp-1", "b:1", false), { bind: "accepted", start: "b:1" })
    assert.deepStrictEqual(bindStart("sp-1", null, true), {
      bind: "accepted",
      start: "exited-before-observation:sp-1"
    })
    assert.strictEqual(bindStart("sp-1", null, false).bind, "refused")
  })
})

describe("the mark in the environment", () => {
  const key = createSecretKey(Buffer.alloc(32, 1))
  const owner: HostIdentity = { pid: 4, startedAt: 99, place: "0a1b2c3d-4026531836" }
  const series = spawnSeries(key, owner, new Uint8Array(12).fill(5))

  it("is recognised by the key that signed it", () => {
    const first = series.next()
    const second = series.next()
    assert.notStrictEqual(first.spawnId, second.spawnId)
    assert.deepStrictEqual(readMark(key, first.mark), { spawnId: first.spawnId, owner })
    assert.strictEqual(markOf(key, { spawnId: second.spawnId, owner }), second.mark)
    assert.deepStrictEqual(parseHost(formatHost(owner)), owner)
  })

  it("is not recognised by another key, nor with anything but its number changed", () => {
    const { mark } = series.next()
    assert.isNull(readMark(createSecretKey(Buffer.alloc(32, 2)), mark))
    const numberAt = mark.indexOf(".") - 8
    FastCheck.assert(
      FastCheck.property(FastCheck.nat(mark.length - 1), FastCheck.constantFrom("0", "x", ".", "-"), (at, letter) => {
        const changed = mark.slice(0, at) + letter + mark.slice(at + 1)
        FastCheck.pre(changed !== mark && !(at >= numberAt && at < numberAt + 8))
        assert.isNull(readMark(key, changed))
      })
    )
    FastCheck.assert(FastCheck.property(FastCheck.string(), (text) => assert.isNull(readMark(key, text))))
  })

  it("tells whether its owner lives, and does not guess about other places", () => {
    const table = new FakeTable({ place: owner.place })
    assert.strictEqual(fateOf(owner, table), "dead")
    table.add({ pid: owner.pid, startedAt: owner.startedAt })
    assert.strictEqual(fateOf(owner, table), "alive")
    assert.strictEqual(fateOf({ ...owner, startedAt: 98 }, table), "dead")
    assert.strictEqual(fateOf({ ...owner, place: "0a1b2c3d-7" }, table), "elsewhere")
    assert.strictEqual(fateOf({ ...owner, place: "ffffffff-4026531836" }, table), "dead")
    assert.strictEqual(fateOf(owner, new FakeTable({ place: null })), "elsewhere")
  })
})

describe("the mark in the limits", () => {
  it("is lower than the limits by little, and left alone where they are low", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.uint8Array({ minLength: 4, maxLength: 4 }), (random) => {
        const current = { pendingSignals: 96_000, messageQueue: 819_200 }
        const lowered = loweredLimits(current, random)
        assert.isNotNull(lowered)
        assert.isBelow(lowered.pendingSignals, current.pendingSignals)
        assert.isAbove(lowered.pendingSignals, current.pendingSignals / 2)
        assert.isBelow(lowered.messageQueue, current.messageQueue)
        assert.isAbove(lowered.messageQueue, current.messageQueue / 2)
      })
    )
    assert.isNull(loweredLimits({ pendingSignals: 1000, messageQueue: 819_200 }, new Uint8Array(4)))
  })
})
