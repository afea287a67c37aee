/** Messages, lines and requests, whatever a server sends and in whatever pieces. */

import { assert, describe, it } from "@effect/vitest"
import { classify } from "@gatehouse/adapters/mcp/protocol/JsonRpc"
import { LineReader } from "@gatehouse/adapters/mcp/protocol/LineReader"
import { Peer } from "@gatehouse/adapters/mcp/protocol/Peer"
import { PeerFailure } from "@gatehouse/adapters/mcp/protocol/PeerFailure"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"

describe("classify", () => {
  const rpc = (fields: object): object => ({ jsonrpc: "2.0", ...fields })
  for (const [message, kind, id] of [
    [rpc({ id: 1, result: {} }), "answer", 1],
    [rpc({ id: 1, result: null }), "broken", 1],
    [rpc({ id: 1, result: [] }), "broken", 1],
    [rpc({ id: 1, result: {}, error: { code: 1, message: "x" } }), "broken", 1],
    [rpc({ id: 1 }), "broken", 1],
    [rpc({ id: "1", result: {} }), "broken", 1],
    [rpc({ id: null, result: {} }), "broken", null],
    [rpc({ id: 1, error: { code: -1, message: "x" } }), "error", 1],
    [rpc({ id: null, error: { code: -1, message: "x" } }), "error", null],
    [rpc({ id: 1, error: "x" }), "broken", 1],
    [rpc({ id: 1, method: "ping" }), "request", 1],
    [rpc({ id: "a", method: "ping" }), "request", "a"],
    [rpc({ id: {}, method: "ping" }), "foreign", undefined],
    [rpc({ method: "notifications/x" }), "notification", undefined],
    [rpc({ method: 7 }), "foreign", undefined],
    [rpc({}), "foreign", undefined],
    [{ id: 1, result: {} }, "foreign", undefined],
    [{ jsonrpc: "1.0", id: 1, result: {} }, "foreign", undefined],
    [[rpc({ id: 1, result: {} })], "foreign", undefined],
    [null, "foreign", undefined],
    [7, "foreign", undefined]
  ] as const) {
    it(`${JSON.stringify(message)} is ${kind}`, () => {
      const incoming = classify(message)
      assert.strictEqual(incoming.kind, kind)
      if (id !== undefined && "id" in incoming) assert.strictEqual(incoming.id, id)
    })
  }
  it("never throws", () => {
    fc.assert(fc.property(fc.anything(), (value) => void classify(value)))
  })
})

const reader = (limit: number) => {
  const lines: Array<string> = []
  const tooLong: Array<{ readonly head: string; readonly tail: string; readonly bytes: number }> = []
  const made = new LineReader({
    limit,
    onLine: (line) => void lines.push(line),
    onTooLong: (head, tail, bytes) => void tooLong.push({ head, tail, bytes })
  })
  return { made, lines, tooLong }
}

describe("LineReader", () => {
  it("gives the same lines for any cut", () => {
    const texts = fc.array(
      fc.string({ unit: "grapheme" }).filter((text) => !text.includes("\n")),
      { maxLength: 8 }
    )
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (wanted, sizes) => {
        const { lines, made } = reader(10_000)
        const bytes = Buffer.from(wanted.map((text) => `${text}\n`).join(""))
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1
          made.push(bytes.subarray(at, at + size))
          at += size
        }
        assert.deepStrictEqual(lines, wanted)
      })
    )
  })

  it("drops what is too long, keeps both ends, and goes on behind it", () => {
    const { lines, made, tooLong } = reader(1_000)
    const long = `head${"x".repeat(5_000)}tail`
    for (const piece of [long.slice(0, 700), long.slice(700, 4_000), long.slice(4_000), "\nshort\n"])
      made.push(Buffer.from(piece))
    assert.deepStrictEqual(lines, ["short"])
    assert.strictEqual(tooLong.length, 1)
    assert.strictEqual(tooLong[0]?.bytes, long.length)
    assert.isTrue(tooLong[0]?.head.startsWith("head"))
    assert.isTrue(tooLong[0]?.tail.endsWith("tail"))
    assert.isAtMost(tooLong[0]?.head.length ?? 0, 512)
  })

  it("takes single bytes, and an endless line, in little memory and time", () => {
    const { made, tooLong } = reader(100_000)
    const byte = Buffer.from("x")
    const began = performance.now()
    for (let index = 0; index < 150_000; index++) made.push(byte)
    made.push(Buffer.from("\n"))
    assert.strictEqual(tooLong.length, 1)
    assert.isBelow(performance.now() - began, 10_000)
  })
})

const conversation = () => {
  const sent: Array<Record<string, unknown>> = []
  const skipped: Array<string> = []
  const peer: Peer = new Peer({
    outlet: { send: (message) => Effect.sync(() => void sent.push({ ...message })), forget: () => undefined },
    onNotification: () => undefined,
    onRequest: () => Effect.succeed({ error: { code: -32601, message: "Method not found" } }),
    onSkipped: (what) => void skipped.push(what),
    fork: (effect) => void Effect.runFork(effect)
  })
  return { peer, sent, skipped }
}

describe("Peer", () => {
  it.effect("gives each request its own answer, in whatever order they come", () =>
    Effect.gen(function* () {
      const { peer, sent } = conversation()
      const first = yield* Effect.fork(peer.request("a", {}))
      const second = yield* Effect.fork(peer.request("b", {}))
      yield* Effect.yieldNow()
      const idOf = (method: string) => sent.find((message) => message["method"] === method)?.["id"]
      peer.receive({ jsonrpc: "2.0", id: idOf("b"), result: { of: "b" } })
      peer.receive({ jsonrpc: "2.0", id: idOf("a"), result: { of: "a" } })
      assert.deepStrictEqual(yield* Fiber.join(first), { of: "a" })
      assert.deepStrictEqual(yield* Fiber.join(second), { of: "b" })
    })
  )

  it.effect("an answer that is none ends the request at once, without an id the only one", () =>
    Effect.gen(function* () {
      for (const answer of [
        { id: 1, result: null },
        { id: 1, result: [] },
        { id: null, error: { code: -32700, message: "x" } },
        { id: "1", result: {} }
      ]) {
        const { peer } = conversation()
        const asked = yield* Effect.fork(Effect.flip(peer.request("a", {})))
        yield* Effect.yieldNow()
        peer.receive({ jsonrpc: "2.0", ...answer })
        assert.instanceOf(yield* Fiber.join(asked), PeerFailure)
      }
    })
  )

  it.effect("an interruption is told once, and the late answer is nobody's", () =>
    Effect.gen(function* () {
      const { peer, sent, skipped } = conversation()
      const asked = yield* Effect.fork(peer.request("a", {}))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(asked)
      const cancelled = sent.filter(({ method }) => method === "notifications/cancelled")
      assert.strictEqual(cancelled.length, 1)
      assert.deepInclude(cancelled[0], { params: { requestId: 1, reason: "the host ended the call" } })
      peer.receive({ jsonrpc: "2.0", id: 1, result: {} })
      assert.deepStrictEqual(skipped, ["unasked"])
    })
  )

  it.effect("the end ends every request, and no other begins", () =>
    Effect.gen(function* () {
      const { peer, sent } = conversation()
      const asked = yield* Effect.fork(Effect.flip(peer.request("a", {})))
      yield* Effect.yieldNow()
      peer.close(new PeerFailure({ reason: "closed", message: "gone", sent: true }))
      assert.isTrue((yield* Fiber.join(asked)).sent)
      const later = yield* Effect.flip(peer.request("b", {}))
      assert.isFalse(later.sent)
      assert.strictEqual(sent.length, 1)
    })
  )

  it.effect("progress reaches its own request, the last of it too", () =>
    Effect.gen(function* () {
      const { peer } = conversation()
      const seen: Array<number> = []
      const asked = yield* Effect.fork(
        peer.request("a", {}, { onProgress: ({ progress }) => void seen.push(progress) })
      )
      yield* Effect.yieldNow()
      for (const params of [
        { progressToken: 1, progress: 1 },
        { progressToken: 9, progress: 2 },
        { progressToken: 1, progress: "x" },
        { progressToken: 1, progress: 3 }
      ]) {
        peer.receive({ jsonrpc: "2.0", method: "notifications/progress", params })
      }
      peer.receive({ jsonrpc: "2.0", id: 1, result: {} })
      yield* Fiber.join(asked)
      assert.deepStrictEqual(seen, [1, 3])
    })
  )
})
