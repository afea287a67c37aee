/** What calls come to, whatever their servers answer. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { McpConnections } from "@gatehouse/adapters/mcp/McpConnections"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { admit, artifactOf, call, mcpNames, withServers } from "./Harness.ts"

describe("answers of tools", () => {
  it.live("errors of every legal kind are typed failures, and nothing is opened", () =>
    withServers({ docs: { fixture: "result-is-error" } }, ({ turn }) =>
      Effect.gen(function* () {
        const outcome = (tool: string) =>
          Effect.map(call(turn, `docs__${tool}`), (result) => ({
            status: result.status,
            message: result.error?.message ?? "",
            model: result.views.model.text,
            mayHaveHappened: result.mayHaveHappened
          }))
        const error = yield* outcome("tool_error")
        assert.strictEqual(error.status, "failed")
        assert.include(error.model, "The disk is full.")
        assert.strictEqual((yield* outcome("tool_error_empty")).status, "failed")
        const structured = yield* outcome("tool_error_structured")
        assert.strictEqual(structured.status, "failed")
        assert.include(structured.model, "E_FULL")
        const rpc = yield* outcome("rpc_error")
        assert.strictEqual(rpc.status, "failed")
        assert.include(rpc.message, "Backend is down")
        assert.isTrue(rpc.mayHaveHappened)
        const invalid = yield* outcome("rpc_invalid_params")
        assert.include(invalid.message, "value is required")
        assert.isFalse(invalid.mayHaveHappened)
        assert.strictEqual((yield* outcome("rpc_not_found")).status, "failed")
        const url = yield* outcome("url_needed")
        assert.strictEqual(url.status, "failed")
        assert.include(url.message, "https://example.invalid")
        assert.notInclude(url.message, "authorize")
        assert.include(url.message, "nothing was opened")
      })
    )
  )

  it.live("blocks keep their kinds, bytes become artifacts, links are shown and unknown blocks named", () =>
    withServers({ rich: { fixture: "result-rich-content" }, odd: { fixture: "result-unknown-content" } }, ({ turn }) =>
      Effect.gen(function* () {
        const everything = yield* call(turn, "rich__everything")
        assert.strictEqual(everything.status, "succeeded")
        const text = everything.views.model.text
        for (const part of [
          "Some text.",
          "image of 70 bytes, image/png",
          "audio of 44 bytes, audio/wav",
          "https://example.invalid/report",
          "An embedded note.",
          "resource of 10 bytes"
        ]) {
          assert.include(text, part)
        }
        assert.notInclude(text, "iVBORw0KGgo")
        const bad = yield* call(turn, "rich__bad_image")
        assert.strictEqual(bad.status, "succeeded")
        assert.include(bad.views.model.text, "no base64")
        const links = yield* call(turn, "rich__link_private")
        assert.include(links.views.model.text, "not fetched: metadata <http://169.254.169.254/")
        const hologram = yield* call(turn, "odd__hologram")
        assert.strictEqual(hologram.status, "succeeded")
        assert.include(hologram.views.model.text, "before\n[a block of the unknown type hologram is left out]\nafter")
        assert.strictEqual((yield* call(turn, "odd__extra")).views.model.text, "known")
        const future = yield* call(turn, "odd__future")
        assert.strictEqual(future.status, "failed")
        assert.include(future.error?.message ?? "", "hibernating")
      })
    )
  )

  it.live("structured content is held against the output schema", () =>
    withServers({ docs: { fixture: "result-structured-mismatch" } }, ({ turn }) =>
      Effect.gen(function* () {
        const right = yield* call(turn, "docs__right")
        assert.strictEqual(right.status, "succeeded")
        const wrong = yield* call(turn, "docs__wrong_type")
        assert.strictEqual(wrong.status, "failed")
        assert.include(wrong.error?.message ?? "", "count")
        const missing = yield* call(turn, "docs__missing")
        assert.strictEqual(missing.status, "failed")
        assert.include(missing.error?.message ?? "", "no structured content")
        const disagree = yield* call(turn, "docs__disagree")
        assert.strictEqual(disagree.status, "succeeded")
        assert.include(disagree.views.model.text, "1")
        assert.include(disagree.views.model.text, '{"count":2}')
        assert.strictEqual((yield* call(turn, "docs__unasked")).status, "succeeded")
      })
    )
  )

  it.live("huge answers are cut with the whole kept, or refused by the limit, and the server goes on", () =>
    withServers({ docs: { fixture: "result-huge-text", args: ["--megabytes", "12"] } }, ({ place, turn }) =>
      Effect.gen(function* () {
        const many = yield* call(turn, "docs__many")
        assert.strictEqual(many.status, "succeeded")
        assert.isBelow(many.views.model.text.length, 24_001)
        assert.match(many.views.model.text, /the whole is in artifact \w+\]$/)
        assert.include(readFileSync(artifactOf(place, "answer.txt"), "utf8"), "LAST LINE")
        const huge = yield* call(turn, "docs__huge")
        assert.strictEqual(huge.status, "failed")
        assert.include(huge.error?.message ?? "", "one message may take")
        assert.strictEqual((yield* call(turn, "docs__many")).status, "succeeded")
      })
    )
  )
})

describe("calls that do not come to an answer", () => {
  it.live("a server that dies leaves its call indeterminate at once, and no other takes its place", () =>
    withServers({ one: { fixture: "call-crash" }, two: { fixture: "call-crash" } }, ({ person, turn }) =>
      Effect.gen(function* () {
        const began = Date.now()
        const boom = yield* call(turn, "one__boom")
        assert.strictEqual(boom.status, "indeterminate")
        assert.isTrue(boom.mayHaveHappened)
        assert.include(boom.error?.message ?? "", "KILL")
        const half = yield* call(turn, "two__half")
        assert.strictEqual(half.status, "indeterminate")
        assert.include(half.error?.message ?? "", "exit code 9")
        assert.isBelow(Date.now() - began, 8_000)
        const asked = person.asked.length
        const later = yield* call(turn, "one__boom")
        assert.strictEqual(later.status, "failed")
        assert.isFalse(later.mayHaveHappened)
        assert.strictEqual(person.asked.length, asked)
      })
    )
  )

  it.live("the deadline ends a call, the server is told once, and others on it go on", () =>
    withServers({ docs: { fixture: "call-never", more: "timeout_seconds: 1\n" } }, ({ place, session, turn }) =>
      Effect.gen(function* () {
        const waiting = yield* Effect.fork(call(turn, "docs__wait"))
        yield* Effect.sleep(100)
        const other = yield* call(turn, "docs__echo", { value: "still here" })
        assert.strictEqual(other.views.model.text, "still here")
        const result = yield* Fiber.join(waiting)
        assert.strictEqual(result.status, "timed_out")
        assert.isTrue(result.mayHaveHappened)
        assert.strictEqual((yield* call(turn, "docs__echo", { value: "on" })).status, "succeeded")
        yield* Effect.flatMap(McpConnections, (connections) => connections.evict(session))
        const log = readFileSync(`${place.home}/logs/mcp/docs.log`, "utf8")
        assert.strictEqual(log.match(/cancelled \{/g)?.length, 1)
        assert.match(log, /cancelled \{"requestId":3/)
      })
    )
  )

  it.live("a cancelled call settles at once, and its late answer reaches nobody", () =>
    withServers({ docs: { fixture: "cancel-ignored", args: ["--duration", "2500"] } }, ({ live, place, session }) =>
      Effect.gen(function* () {
        const stop = new AbortController()
        const turn = yield* admit(place, session, { cancellation: stop.signal })
        const counting = yield* Effect.fork(call(turn, "docs__count"))
        yield* Effect.sleep(250)
        stop.abort()
        const began = Date.now()
        const result = yield* Fiber.join(counting)
        assert.strictEqual(result.status, "cancelled")
        assert.isTrue(result.mayHaveHappened)
        assert.isBelow(Date.now() - began, 1_500)
        const seen = live.length
        assert.isAbove(seen, 0)
        yield* Effect.sleep(2_500)
        assert.strictEqual(live.length, seen)
      })
    )
  )

  it.live("progress is passed on, a storm of it thinned", () =>
    withServers({ docs: { fixture: "progress" } }, ({ live, turn }) =>
      Effect.gen(function* () {
        const steps = yield* call(turn, "docs__steps")
        assert.strictEqual(steps.status, "succeeded")
        assert.isAbove(live.length, 3)
        const before = live.length
        const storm = yield* call(turn, "docs__storm")
        assert.strictEqual(storm.status, "succeeded")
        assert.include(storm.views.model.text, "50000")
        assert.isBelow(live.length - before, 40)
      })
    )
  )
})

describe("what servers ask of the host", () => {
  it.live("roots, sampling and questions are refused at once, and the calls go on", () =>
    withServers(
      {
        roots: { fixture: "request-roots" },
        sample: { fixture: "request-sampling" },
        ask: { fixture: "request-elicitation" }
      },
      ({ turn }) =>
        Effect.gen(function* () {
          for (const name of mcpNames(turn)) {
            const result = yield* call(turn, name)
            assert.include(["succeeded", "failed"], result.status)
            assert.match(result.views.model.text, /-32601|Method not found|not declared/, name)
          }
          assert.isAbove(mcpNames(turn).length, 6)
        })
    )
  )
})
