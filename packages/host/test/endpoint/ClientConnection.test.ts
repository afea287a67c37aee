import { assert, describe, it } from "@effect/vitest"
import {
  type ClientConnection,
  makeClientConnection,
  requestLimit
} from "@gatehouse/host/endpoint/protocol/ClientConnection"
import { judgeClientMessage } from "@gatehouse/host/endpoint/protocol/ClientMessage"
import type { Methods } from "@gatehouse/host/endpoint/protocol/Methods"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"

interface Said {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: object
  readonly error?: { readonly code: number; readonly message: string }
}

/** A connection whose client is the test; `slow` never answers, and tells when it was interrupted. */
const connected = (options: { readonly methods?: Methods; readonly congested?: boolean } = {}) =>
  Effect.gen(function* () {
    const said: Array<Said> = []
    const withdrawn: Array<unknown> = []
    const ended: Array<unknown> = []
    const scope = yield* Scope.make()
    const methods: Methods = {
      slow: (params) => Effect.onInterrupt(Effect.never, () => Effect.sync(() => ended.push(params["name"]))),
      quick: (params) => Effect.succeed({ echo: params["value"] }),
      broken: () => Effect.die(new Error("sekret")),
      steps: (_, face) =>
        Effect.sync(() => {
          face.progress("one")
          face.progress("two")
          face.log("info", "quiet")
          face.log("error", "loud")
          return {}
        }),
      ask: (_, face) =>
        face.elicit === null
          ? Effect.succeed({ cannot: true })
          : face.elicit({ message: "sure?", requestedSchema: { type: "object" } }),
      ...options.methods
    }
    const connection = yield* Scope.extend(
      makeClientConnection({
        methods,
        version: "1",
        instructions: "",
        outlet: {
          send: (message) => void said.push(message),
          withdraw: (id) => void withdrawn.push(id),
          isCongested: () => options.congested === true
        }
      }),
      scope
    )
    const send = (...messages: ReadonlyArray<object>) =>
      Effect.gen(function* () {
        for (const message of messages) receive(connection, message)
        yield* Effect.yieldNow()
        yield* Effect.sleep("1 millis").pipe(Effect.withClock(yield* Effect.clock))
      })
    return { said, withdrawn, ended, scope, connection, send }
  })

const receive = (connection: ClientConnection, message: object): void =>
  connection.receive(judgeClientMessage(Array.isArray(message) ? message : { jsonrpc: "2.0", ...message }))

const hello = (more: object = {}, protocolVersion = "2025-11-25") => ({
  id: "hello",
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" }, ...more }
})

describe("a client's connection", () => {
  it.live("answers the handshake, a ping at any time, and nothing else before it", () =>
    Effect.gen(function* () {
      const { said, send } = yield* connected()
      yield* send(
        { id: 1, method: "ping" },
        { id: 2, method: "quick" },
        { id: 3, method: "server/discover" },
        hello({}, "2024-11-05"),
        hello()
      )
      yield* send({ id: 4, method: "quick", params: { value: 7 } })
      assert.deepStrictEqual(said[0]?.result, {})
      assert.strictEqual(said[1]?.error?.code, -32600)
      assert.strictEqual(said[2]?.error?.code, -32601)
      assert.include(said[3]?.result, { protocolVersion: "2024-11-05" })
      assert.deepStrictEqual(said[4]?.error?.code, -32600, "a second handshake")
      assert.deepStrictEqual(said[5]?.result, { echo: 7 })
    })
  )

  it.live("cancels by any id, zero too, at once and without an answer", () =>
    Effect.gen(function* () {
      const { connection, ended, said, send, withdrawn } = yield* connected()
      yield* send(
        hello(),
        { id: 0, method: "slow", params: { name: "zero" } },
        { id: "0", method: "slow", params: { name: "text" } }
      )
      yield* send({ method: "notifications/cancelled", params: { requestId: 0 } })
      assert.deepStrictEqual(ended, ["zero"])
      assert.deepStrictEqual(withdrawn, [0])
      assert.strictEqual(connection.requestsUnderWay(), 1)
      yield* send(
        { method: "notifications/cancelled", params: { requestId: 0 } },
        { method: "notifications/cancelled", params: { requestId: "unknown" } },
        { method: "notifications/cancelled", params: {} },
        { id: 0, method: "quick", params: { value: "again" } }
      )
      assert.deepStrictEqual(
        said.map(({ id }) => id),
        ["hello", 0]
      )
    })
  )

  it.live("does not answer a request twice under one id", () =>
    Effect.gen(function* () {
      const { connection, said, send } = yield* connected()
      yield* send(hello(), { id: 5, method: "slow" }, { id: 5, method: "quick" })
      assert.isNull(said[1]?.id)
      assert.strictEqual(said[1]?.error?.code, -32600)
      assert.strictEqual(connection.requestsUnderWay(), 1)
    })
  )

  it.live("refuses what is beyond its limit at once, and goes on", () =>
    Effect.gen(function* () {
      const { connection, said, send } = yield* connected()
      yield* send(hello(), ...Array.from({ length: 10_000 }, (_, id) => ({ id, method: "slow" })))
      assert.strictEqual(connection.requestsUnderWay(), requestLimit)
      assert.strictEqual(said.filter(({ error }) => error?.code === -32000).length, 10_000 - requestLimit)
      yield* send({ method: "notifications/cancelled", params: { requestId: 3 } })
      yield* send({ id: "x", method: "quick" })
      assert.deepStrictEqual(said.at(-1)?.result, { echo: undefined })
    })
  )

  it.live("says nothing of an internal error", () =>
    Effect.gen(function* () {
      const { said, send } = yield* connected()
      yield* send(hello(), { id: 1, method: "broken" })
      assert.strictEqual(said[1]?.error?.code, -32603)
      assert.notInclude(JSON.stringify(said), "sekret")
    })
  )

  it.live("takes batches in the revisions that have them", () =>
    Effect.gen(function* () {
      const batch = [
        { jsonrpc: "2.0", id: 1, method: "quick" },
        { jsonrpc: "2.0", id: 2, method: "nothing" }
      ]
      const older = yield* connected()
      yield* older.send(hello({}, "2025-03-26"), batch, [])
      assert.sameMembers(
        older.said.slice(1).map(({ error, id }) => `${id} ${error?.code}`),
        ["1 undefined", "2 -32601", "null -32600"]
      )
      const newer = yield* connected()
      yield* newer.send(hello(), batch)
      assert.deepStrictEqual(
        newer.said.slice(1).map(({ error, id }) => `${id} ${error?.code}`),
        ["null -32600"]
      )
    })
  )

  it.live("tells progress under the client's token and rising, and log lines from its level on", () =>
    Effect.gen(function* () {
      const { said, send } = yield* connected()
      yield* send(hello(), { id: 1, method: "steps", params: { _meta: { progressToken: "t" } } })
      assert.deepStrictEqual(
        said.slice(1).map(({ method, params }) => [method, params?.["progress"] ?? params?.["data"]]),
        [
          ["notifications/progress", 1],
          ["notifications/progress", 2],
          ["notifications/message", "loud"],
          [undefined, undefined]
        ]
      )
      said.length = 0
      yield* send({ id: 2, method: "logging/setLevel", params: { level: "info" } }, { id: 3, method: "steps" })
      assert.deepStrictEqual(
        said.flatMap(({ params }) => params?.["data"] ?? []),
        ["quiet", "loud"]
      )
      yield* send({ id: 4, method: "logging/setLevel", params: { level: "noisy" } })
      assert.strictEqual(said.at(-1)?.error?.code, -32602)
    })
  )

  it.live("leaves progress out where the client does not read", () =>
    Effect.gen(function* () {
      const { said, send } = yield* connected({ congested: true })
      yield* send(hello(), { id: 1, method: "steps", params: { _meta: { progressToken: 1 } } })
      assert.deepStrictEqual(
        said.map(({ id }) => id),
        ["hello", 1]
      )
    })
  )

  it.live("asks a client that can, withdraws the question with its request, and takes an error for no answer", () =>
    Effect.gen(function* () {
      const mute = yield* connected()
      yield* mute.send(hello(), { id: 1, method: "ask" })
      assert.deepStrictEqual(mute.said[1]?.result, { cannot: true })

      const { said, send } = yield* connected()
      yield* send(hello({ capabilities: { elicitation: {} } }), { id: 1, method: "ask" })
      assert.strictEqual(said[1]?.method, "elicitation/create")
      yield* send({ id: said[1]?.id, result: { action: "accept", content: { answer: "allow" } } })
      assert.deepStrictEqual(said[2]?.result, { action: "accept", content: { answer: "allow" } })

      yield* send({ id: 2, method: "ask" })
      yield* send({ id: said[3]?.id, error: { code: -1, message: "no" } })
      assert.deepStrictEqual(said[4]?.result, { action: "unanswered" })

      yield* send({ id: 3, method: "ask" }, { method: "notifications/cancelled", params: { requestId: 3 } })
      assert.deepStrictEqual(said[6]?.params?.["requestId"], said[5]?.id)
      yield* send({ id: said[5]?.id, result: { action: "accept" } })
      assert.strictEqual(said.length, 7, "an answer that comes too late is nobody's")
    })
  )

  it.live("ends what is under way with its scope, and says so", () =>
    Effect.gen(function* () {
      const { ended, said, scope, send } = yield* connected()
      yield* send(hello(), { id: 1, method: "slow", params: { name: "one" } })
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(ended, ["one"])
      assert.strictEqual(said[1]?.error?.code, -32000)
    })
  )
})
