/** What of a server's list becomes tools: bad entries cost themselves, and a list without an end costs its server. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { admit, call, diagnosticsOf, mcpNames, withServers } from "./Harness.ts"

describe("lists of tools", () => {
  it.live("bad entries are refused one by one, each with its reason", () =>
    withServers(
      { docs: { fixture: "tools-bad-schemas" }, shape: { fixture: "tools-bad-schemas", args: ["--only-good-shape"] } },
      ({ turn }) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(mcpNames(turn), ["docs__good", "shape__good"])
          const told = diagnosticsOf(turn)
          for (const tool of [
            "unknown_type",
            "bounds",
            "bad_pattern",
            "slow_pattern",
            "unknown_dialect",
            "draft04",
            "bad_output",
            "no_schema",
            "null_schema",
            "true_schema",
            "string_schema",
            "array_schema",
            "required_object",
            "no_type"
          ]) {
            assert.include(told, `docs: tool ${tool} is left out`)
          }
          assert.strictEqual((yield* call(turn, "docs__good", { value: "x" })).status, "succeeded")
        })
    )
  )

  it.live("recursion is legal; loops, bombs, depth and far references are not", () =>
    withServers({ docs: { fixture: "tools-recursive-schema" } }, ({ turn }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(mcpNames(turn), ["docs__tree"])
        for (const tool of ["loop", "bomb", "remote", "deep"])
          assert.include(diagnosticsOf(turn), `tool ${tool} is left out`)
        const fits = { root: { name: "a", children: [{ name: "b" }] } }
        assert.strictEqual((yield* call(turn, "docs__tree", fits)).status, "succeeded")
        const wrong = yield* call(turn, "docs__tree", { root: { name: "a", children: [{ name: 1 }] } })
        assert.strictEqual(wrong.status, "invalid")
        assert.isFalse(wrong.executionStarted)
      })
    )
  )

  it.live("a name that is listed twice is nobody's; letter case keeps names apart", () =>
    withServers({ docs: { fixture: "tools-duplicate-names" } }, ({ turn }) =>
      Effect.sync(() => {
        const tools = turn.catalog.entries
          .filter(({ source }) => source === "mcp")
          .map(({ metadata }) => JSON.stringify(metadata))
        assert.isFalse(tools.some((metadata) => metadata.includes('"tool":"read"')))
        assert.isAbove(tools.length, 0)
        const folded = mcpNames(turn).map((name) => name.toLowerCase())
        assert.strictEqual(new Set(folded).size, folded.length)
        assert.include(diagnosticsOf(turn), "more than once")
      })
    )
  )

  it.live("odd names get legal, distinct ones, and a call reaches exactly its tool", () =>
    withServers({ docs: { fixture: "tools-odd-names" } }, ({ turn }) =>
      Effect.gen(function* () {
        const entries = turn.catalog.entries.filter(({ source }) => source === "mcp")
        assert.isAbove(entries.length, 20)
        const answers = new Set<string>()
        for (const { metadata, name } of entries) {
          assert.match(name, /^[A-Za-z][A-Za-z0-9_-]{0,63}$/)
          const original: unknown = Reflect.get(Object(metadata), "tool")
          assert.notMatch(String(original), /[\p{C}]/u)
          const result = yield* call(turn, name)
          assert.strictEqual(result.status, "succeeded")
          answers.add(result.views.model.text)
        }
        // Each answers with its place in the server's list.
        assert.strictEqual(answers.size, entries.length)
        assert.notMatch(diagnosticsOf(turn), /[^\P{C}\n]/u)
      })
    )
  )

  it.live("what is too large is refused or cut, and the rest is there", () =>
    withServers({ docs: { fixture: "tools-huge-schema" } }, ({ turn }) =>
      Effect.sync(() => {
        assert.deepStrictEqual(mcpNames(turn), ["docs__long_description", "docs__small"])
        assert.include(diagnosticsOf(turn), "tool huge is left out")
        const long = turn.catalog.entries.find(({ name }) => name === "docs__long_description")
        assert.isAtMost(long?.description.length ?? 0, 8_192)
      })
    )
  )

  it.live("a list without an end fails its server alone, by the limit's name", () =>
    withServers(
      {
        fresh: { fixture: "tools-endless-cursor", args: ["--mode", "fresh"] },
        same: { fixture: "tools-endless-cursor", args: ["--mode", "same"] },
        empty: { fixture: "tools-endless-cursor", args: ["--mode", "empty"] },
        long: { fixture: "tools-endless-cursor", args: ["--mode", "long"] },
        number: { fixture: "tools-endless-cursor", args: ["--mode", "number"] },
        good: { fixture: "call-never" }
      },
      ({ turn }) =>
        Effect.sync(() => {
          assert.deepStrictEqual(mcpNames(turn), ["good__echo", "good__wait"])
          const told = diagnosticsOf(turn)
          assert.match(told, /fresh: is not open.*more than (64 pages|10000 tools)/)
          assert.match(told, /same: is not open.*same cursor twice/)
          assert.match(told, /empty: is not open.*(64 pages|same cursor)/)
          assert.match(told, /long: is not open.*4096 characters/)
          assert.match(told, /number: is not open.*no text/)
        })
    )
  )

  it.live("a storm of changes is one new list, in the next turn", () =>
    withServers({ docs: { fixture: "tools-list-changed-storm" } }, ({ person, place, session, turn }) =>
      Effect.gen(function* () {
        const first = mcpNames(turn)
        const name = first[0] ?? ""
        assert.strictEqual((yield* call(turn, name)).status, "succeeded")
        assert.deepStrictEqual(mcpNames(turn), first)
        const asked = person.asked.length
        const next = yield* admit(place, session)
        assert.strictEqual(mcpNames(next).length, first.length + 1)
        assert.strictEqual(person.asked.length, asked)
      })
    )
  )
})
