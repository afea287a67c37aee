/** The parts of discovery by themselves: places in turn, memory of failures, identity, previews, pins. */

import { assert, describe, it } from "@effect/vitest"
import { missingReference, secretsAmong, substitute } from "@gatehouse/adapters/mcp/connect/References"
import { FairSlots } from "@gatehouse/adapters/mcp/connections/FairSlots"
import { formAnswers } from "@gatehouse/adapters/mcp/connections/FormAnswers"
import { SessionServers } from "@gatehouse/adapters/mcp/connections/SessionServers"
import { changeOf, pinOf } from "@gatehouse/adapters/mcp/pins/Pins"
import type { ServerQuestion, ServerQuestionAnswer } from "@gatehouse/adapters/mcp/ServerQuestions"
import { SessionId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as fc from "fast-check"

describe("FairSlots", () => {
  it.live("never more than its limit, whatever is interrupted, and every place comes back", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.boolean()), { maxLength: 30 }), (plan) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const slots = new FairSlots(3)
              let inside = 0
              let most = 0
              const work = Effect.acquireUseRelease(
                Effect.sync(() => {
                  inside += 1
                  most = Math.max(most, inside)
                }),
                () => Effect.yieldNow(),
                () => Effect.sync(() => void (inside -= 1))
              )
              const fibers: Array<Fiber.RuntimeFiber<void>> = []
              for (const [session, stop] of plan) {
                const fiber = yield* Effect.fork(slots.within(session, work))
                fibers.push(fiber)
                if (stop) yield* Fiber.interruptFork(fiber)
              }
              yield* Effect.forEach(fibers, Fiber.await, { discard: true })
              assert.isAtMost(most, 3)
              // All places are free again.
              yield* Effect.forEach([1, 2, 3], () => slots.within("z", Effect.void), {
                concurrency: 3,
                discard: true
              }).pipe(Effect.timeoutFail({ duration: 5_000, onTimeout: () => "a place was lost" }))
            })
          )
        ),
        { numRuns: 60 }
      )
    )
  )

  it.live("a session with many waits for a session with one", () =>
    Effect.gen(function* () {
      const slots = new FairSlots(1)
      const order: Array<string> = []
      const note = (name: string) =>
        Effect.zipRight(
          Effect.sync(() => void order.push(name)),
          Effect.sleep(5)
        )
      const fibers: Array<Fiber.RuntimeFiber<void>> = []
      for (const name of ["a1", "a2", "a3", "a4"]) fibers.push(yield* Effect.fork(slots.within("a", note(name))))
      yield* Effect.sleep(2)
      fibers.push(yield* Effect.fork(slots.within("b", note("b1"))))
      yield* Effect.forEach(fibers, Fiber.join, { discard: true })
      assert.isBelow(order.indexOf("b1"), 3)
    })
  )
})

describe("memory of failures", () => {
  it.effect("holds until its time and not beyond, however often it is asked", () =>
    Effect.gen(function* () {
      const session = new SessionServers(yield* Scope.make())
      const diagnostic = { subject: "agent/mcp/docs.yaml", severity: "error", message: "docs", remedy: "" } as const
      session.remember("docs", { digest: "d", until: 31_000, diagnostic })
      for (const now of [1_000, 15_000, 30_999])
        assert.strictEqual(session.failure("docs", now)?.diagnostic, diagnostic)
      assert.isNull(session.failure("docs", 31_000))
      assert.isNull(session.failure("docs", 1_000))
      assert.isNull(session.failure("other", 1_000))
    })
  )
})

describe("references", () => {
  const host = { hostEnvironment: { NAME: "value-$NAME-${OTHER}", OTHER: "x" }, platform: "posix" } as const
  it("are found by name, put in once, and what they bring is not looked at again", () => {
    assert.strictEqual(missingReference(["${NAME} ${GONE}"], host), "GONE")
    assert.isNull(missingReference(["${NAME} $NAME {NAME} ${not a name}"], host))
    const into = new Map<string, string>()
    assert.strictEqual(substitute("[${NAME}]", host, into), "[value-$NAME-${OTHER}]")
    assert.deepStrictEqual([...into.keys()], ["NAME"])
  })
  it("paths, words and numbers are no secrets", () => {
    const secrets = secretsAmong(
      new Map([
        ["A", "/home/me/x"],
        ["B", "production"],
        ["C", "12345678"],
        ["D", "short"],
        ["E", "hunter2-and-more"],
        ["F", "Production"],
        ["G", "DEVELOPMENT"],
        ["H", "kLmQxTzWvBnA"],
        ["I", "correcthorsebatterystaple"]
      ])
    )
    assert.deepStrictEqual([...secrets.keys()], ["E", "H", "I"])
  })
})

describe("pins", () => {
  const tool = {
    name: "read",
    description: "Reads.",
    inputSchema: { type: "object" },
    outputSchema: null,
    claims: {}
  } as const
  it("tell what changed, and nothing where nothing did", () => {
    const pin = pinOf(tool)
    assert.isNull(changeOf(pin, { ...tool }))
    assert.include(changeOf(pin, { ...tool, description: "Reads and sends." }), '"Reads." is now "Reads and sends."')
    assert.include(changeOf(pin, { ...tool, claims: { readOnlyHint: true } }), "claims")
    assert.include(changeOf(pinOf({ ...tool, description: "x".repeat(9_000) }), tool), "too long")
  })
})

describe("questions of servers", () => {
  const form = {
    message: "Who?",
    requestedSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
  }
  const asking = (answer: ServerQuestionAnswer, params: unknown) => {
    const asked: Array<ServerQuestion> = []
    const ask = (question: ServerQuestion) =>
      Effect.sync(() => {
        asked.push(question)
        return answer
      })
    return Effect.map(formAnswers({ available: true, ask }, "docs", SessionId("s"))(params), (reply) => ({
      asked,
      reply
    }))
  }
  it.effect("reach a person with the server's name, and come back only where they fit the form", () =>
    Effect.gen(function* () {
      const fits = yield* asking({ action: "accept", content: { name: "Ada" } }, form)
      assert.strictEqual(fits.asked[0]?.server, "docs")
      assert.deepStrictEqual(fits.reply, { result: { action: "accept", content: { name: "Ada" } } })
      assert.deepStrictEqual((yield* asking({ action: "accept", content: { name: 7 } }, form)).reply, {
        result: { action: "cancel" }
      })
      assert.deepStrictEqual((yield* asking({ action: "decline" }, form)).reply, { result: { action: "decline" } })
    })
  )
  it.effect("for an address, or without a form, reach nobody", () =>
    Effect.gen(function* () {
      for (const params of [
        { mode: "url", url: "https://example.invalid" },
        {},
        null,
        { message: "x", requestedSchema: 7 }
      ]) {
        const { asked, reply } = yield* asking({ action: "decline" }, params)
        assert.deepStrictEqual(asked, [])
        assert.property(reply, "error")
      }
    })
  )
})
