/** Servers at URLs: over the host's one client, one call at a time attributable, nothing repeated by itself. */
import { assert, describe, it } from "@effect/vitest"
import { McpConnections } from "@gatehouse/adapters/mcp/McpConnections"
import * as Effect from "effect/Effect"
import { admit, call, diagnosticsOf, httpYaml, listen, mcpNames, withDeclarations } from "./Harness.ts"

const callsOf = (lines: ReadonlyArray<Record<string, unknown>>): string => JSON.stringify(lines)

describe("servers at URLs", () => {
  it.live("get the headers of their declaration and of the protocol, and no others", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { lines, url } = yield* listen("http-echo-headers")
        yield* withDeclarations(
          { docs: httpYaml(url, 'headers: {X-Api-Key: "${KEY}", X-Plain: value}\n') },
          ({ turn }) =>
            Effect.gen(function* () {
              const result = yield* call(turn, "docs__headers")
              assert.strictEqual(result.status, "succeeded")
              const text = result.views.model.text.toLowerCase()
              for (const name of [
                "x-api-key",
                "x-plain",
                "accept",
                "content-type",
                "mcp-protocol-version",
                "mcp-session-id"
              ]) {
                assert.include(text, name)
              }
              assert.notInclude(JSON.stringify(result), "key-canary-12345")
              assert.notInclude(text, "cookie")
              assert.include(text, new URL(url).host)
            }),
          { environment: { KEY: "key-canary-12345" } }
        )
        assert.include(callsOf(lines), "DELETE")
      })
    )
  )

  it.live("are not followed to where the policy does not lead", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const metadata = yield* listen("http-redirect")
        const peer = yield* listen("http-redirect", ["--location", "peer"])
        const late = yield* listen("http-redirect", ["--location", "peer", "--after", "3"])
        yield* withDeclarations(
          {
            metadata: httpYaml(metadata.url),
            peer: httpYaml(peer.url, 'headers: {Authorization: "Bearer secret-canary"}\n'),
            late: httpYaml(late.url)
          },
          ({ turn }) =>
            Effect.gen(function* () {
              assert.match(diagnosticsOf(turn), /metadata: is not open.*redirect/)
              assert.match(diagnosticsOf(turn), /peer: is not open.*redirect/)
              const [name] = mcpNames(turn)
              const result = yield* call(turn, name ?? "none", { value: "x" })
              assert.strictEqual(result.status, "failed")
              assert.include(result.error?.message ?? "", "redirect")
            })
        )
        assert.strictEqual(peer.lines.length, 1)
        assert.strictEqual(late.lines.length, 1)
      })
    )
  )

  it.live("whose session is lost fail the call, and are opened anew only after a new question", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { lines, url } = yield* listen("http-session-lost")
        yield* withDeclarations({ docs: httpYaml(url) }, ({ person, place, session, turn }) =>
          Effect.gen(function* () {
            assert.deepStrictEqual(mcpNames(turn), ["docs__echo"])
            assert.strictEqual((yield* call(turn, "docs__echo", { value: "x" })).status, "succeeded")
            const lost = yield* call(turn, "docs__echo", { value: "x" })
            assert.strictEqual(lost.status, "failed")
            assert.include(lost.error?.message ?? "", "session")
            assert.isFalse(lost.mayHaveHappened)
            assert.strictEqual((yield* call(turn, "docs__echo", { value: "x" })).status, "failed")
            const asked = person.asked.length
            const next = yield* admit(place, session)
            assert.deepStrictEqual(mcpNames(next), ["docs__renamed"])
            assert.strictEqual(person.asked.length, asked + 1)
            yield* Effect.flatMap(McpConnections, (connections) => connections.evict(session))
          })
        )
        assert.include(callsOf(lines), "delete")
      })
    )
  )

  it.live("that break off leave nobody knowing; those that promise to answer later are asked again", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { lines, url } = yield* listen("http-sse-drop")
        yield* withDeclarations({ docs: httpYaml(url, "timeout_seconds: 3\n") }, ({ turn }) =>
          Effect.gen(function* () {
            const began = Date.now()
            for (const tool of ["drop", "half"]) {
              const result = yield* call(turn, `docs__${tool}`)
              assert.strictEqual(result.status, "indeterminate", tool)
            }
            assert.isBelow(Date.now() - began, 2_000)
            const resumed = yield* call(turn, "docs__resume")
            assert.strictEqual(resumed.status, "succeeded")
            assert.strictEqual(resumed.views.model.text, "answer of resume")
            const never = yield* call(turn, "docs__never")
            assert.include(["timed_out", "indeterminate"], never.status)
            const gets = lines.length
            yield* Effect.sleep(800)
            assert.strictEqual(lines.length, gets)
            const calls = yield* call(turn, "docs__calls")
            assert.strictEqual(calls.views.model.text, "4")
          })
        )
      })
    )
  )

  for (const status of [401, 403, 429, 500, 503]) {
    it.live(`that answer ${status} fail by that name, and are not asked again`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const { lines, url } = yield* listen("http-status", ["--status", String(status), "--after", "3"])
          yield* withDeclarations(
            { docs: httpYaml(url, 'headers: {Authorization: "Bearer status-canary-99"}\n') },
            ({ turn }) =>
              Effect.gen(function* () {
                const [name] = mcpNames(turn)
                const result = yield* call(turn, name ?? "none", { value: "x" })
                assert.strictEqual(result.status, "failed")
                assert.include(result.error?.message ?? "", `HTTP ${status}`)
                assert.notInclude(JSON.stringify(result), "status-canary-99")
                assert.notInclude(JSON.stringify(result), "<html")
                assert.strictEqual(result.mayHaveHappened, status >= 500)
              })
          )
          assert.isAtMost(lines.length, 20)
        })
      )
    )
  }
})
