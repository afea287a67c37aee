import { assert, describe, it } from "@effect/vitest"
import { judgeClientMessage, readClientMessage } from "@gatehouse/host/endpoint/protocol/ClientMessage"
import { elicitsForms, readElicitation } from "@gatehouse/host/endpoint/protocol/Elicitation"
import { agreeRevision, revisions } from "@gatehouse/host/endpoint/protocol/Revisions"
import * as Either from "effect/Either"
import * as fc from "effect/FastCheck"

const rpc = (members: object): object => ({ jsonrpc: "2.0", ...members })

describe("what a client's message is", () => {
  const cases: ReadonlyArray<readonly [string, unknown, object]> = [
    ["a request", rpc({ id: 1, method: "ping" }), { kind: "request", id: 1, method: "ping", params: {} }],
    ["id zero", rpc({ id: 0, method: "ping" }), { kind: "request", id: 0, method: "ping", params: {} }],
    ["a text as id", rpc({ id: "", method: "ping" }), { kind: "request", id: "", method: "ping", params: {} }],
    ["a notification", rpc({ method: "n", params: { a: 1 } }), { kind: "notification", method: "n", params: { a: 1 } }],
    [
      "a notification with a list",
      rpc({ method: "n", params: [1] }),
      { kind: "notification", method: "n", params: {} }
    ],
    ["a batch", [1], { kind: "batch", messages: [1] }],
    ["an answer", rpc({ id: "q", result: { a: 1 } }), { kind: "answer", id: "q", outcome: Either.right({ a: 1 }) }]
  ]
  it.each(cases)("%s", (_, input, expected) => assert.deepStrictEqual(judgeClientMessage(input), expected as never))

  const faults: ReadonlyArray<readonly [string, unknown, string | number | null, number]> = [
    ["a plain value", 3, null, -32600],
    ["null", null, null, -32600],
    ["another version", { jsonrpc: "1.0", id: 4, method: "ping" }, 4, -32600],
    ["no version", { id: 4, method: "ping" }, 4, -32600],
    ["a method that is no text", rpc({ id: 4, method: 5 }), 4, -32600],
    ["id null", rpc({ id: null, method: "ping" }), null, -32600],
    ["a fraction as id", rpc({ id: 1.5, method: "ping" }), null, -32600],
    ["a huge id", rpc({ id: "x".repeat(600), method: "ping" }), null, -32600],
    ["params as a list", rpc({ id: 4, method: "ping", params: [] }), 4, -32602],
    ["params null", rpc({ id: 4, method: "ping", params: null }), 4, -32602],
    ["neither request nor answer", rpc({ id: 4 }), 4, -32600],
    ["both outcomes", rpc({ id: 4, result: {}, error: { code: 1, message: "" } }), 4, -32600]
  ]
  it.each(faults)("%s is a fault", (_, input, id, code) => {
    const judged = judgeClientMessage(input)
    assert.isTrue(judged.kind === "fault" && judged.id === id && judged.error.code === code, JSON.stringify(judged))
  })

  it("a text that is no JSON", () => {
    const judged = readClientMessage('{"jsonrpc":')
    assert.isTrue(judged.kind === "fault" && judged.id === null && judged.error.code === -32700)
  })

  it("an answer that is broken fails, and says nothing of its content", () => {
    for (const outcome of [{ result: null }, { result: [1] }, { error: "sekret" }, { error: { code: "1" } }]) {
      const judged = judgeClientMessage(rpc({ id: 1, ...outcome }))
      assert.isTrue(judged.kind === "answer" && Either.isLeft(judged.outcome))
      assert.notInclude(JSON.stringify(judged), "sekret")
    }
  })

  it("never throws, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.anything(),
          fc.json().map((text): unknown => JSON.parse(text))
        ),
        (value) => {
          judgeClientMessage(value)
        }
      )
    )
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readClientMessage(text)))
  })
})

describe("what client and endpoint agree on", () => {
  it("a revision that is known is kept, any other becomes the newest", () => {
    for (const revision of revisions) assert.strictEqual(agreeRevision(revision), revision)
    for (const other of ["1999-01-01", "2026-07-28", "", 7, null])
      assert.strictEqual(agreeRevision(other), "2025-11-25")
  })

  it("forms are declared by an empty elicitation or by a form member", () => {
    assert.isTrue(elicitsForms({ elicitation: {} }))
    assert.isTrue(elicitsForms({ elicitation: { form: {}, url: {} } }))
    assert.isFalse(elicitsForms({ elicitation: { url: {} } }))
    assert.isFalse(elicitsForms({}))
    assert.isFalse(elicitsForms(null))
  })

  it("an unknown action is no answer", () => {
    assert.deepStrictEqual(readElicitation({ action: "yes" }), { action: "unanswered" })
    assert.deepStrictEqual(readElicitation({ action: "accept" }), { action: "accept", content: {} })
  })
})
