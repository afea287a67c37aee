import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { runCheck } from "@gatehouse/host/cli/verbs/Check"
import { runCheckAll } from "@gatehouse/host/cli/verbs/CheckAll"
import { runCheckCall } from "@gatehouse/host/cli/verbs/CheckCall"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CliPlace, cliPlace, commandLayer } from "../support/CliPlace.ts"

const all = (place: CliPlace, core = place.core, expect: string | null = null, json = false) =>
  runCheckAll({ ...place.places, core: Option.some(core), json, expect }).pipe(Effect.provide(commandLayer(place)))
const agent = { "core/agent.yaml": "agent: { id: test }\n" }

describe("gatehouse check all", () => {
  it.scoped("runs the expectations of the example", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({})
      yield* all(place, fileURLToPath(new URL("../../../../examples/policy-tests", import.meta.url)))
      assert.deepStrictEqual(place.said.result, ["11 passed, 0 failed"])
    })
  )

  it.scoped("fails with a line for each case that differs, and counts", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({
        ...agent,
        "core/agent/policy/a.yaml": `command:
  - { id: reads, input: { command: ls }, expect: { decision: allow } }
  - { id: asks, input: { command: ls }, expect: { decision: [prompt, block] } }
  - { id: misspelt, input: { comand: ls }, expect: { decision: allow } }
`,
        "core/agent/policy/b.yaml":
          "- { id: gone, kind: call, input: { tool: nothing }, expect: { status: not_found, stage: binding } }\n"
      })
      const failure = yield* Effect.flip(all(place))
      assert.strictEqual(failure.status, "failed")
      assert.deepStrictEqual(place.said.result, [
        'agent/policy/a.yaml:3 asks: decision: expected ["prompt","block"], got "allow"',
        "agent/policy/a.yaml:4 misspelt: comand: is no field of this question; test/vectors/README.md lists the fields of each kind of question",
        "2 passed, 2 failed"
      ])
      yield* Effect.flip(all(place, place.core, null, true))
      assert.deepInclude(JSON.parse(place.said.result.at(-1) ?? ""), { passed: 2, failed: 2 })
    })
  )

  const refused: ReadonlyArray<readonly [string, Record<string, string>, RegExp]> = [
    ["no expectations", {}, /has no expectations/],
    ["files without a case", { "core/agent/policy/a.yaml": "# later\n" }, /has no expectations/],
    ["a file of another ending", { "core/agent/policy/a.yml": "" }, /a\.yml: is not read; rename/],
    ["a file that is wrong", { "core/agent/policy/a.yaml": "commands: []\n" }, /a\.yaml:1 commands: is no field/],
    [
      "a case without a kind",
      { "core/agent/policy/a.yaml": "- { id: a, input: {}, expect: {} }\n" },
      /a: kind is missing/
    ],
    ["a core that is wrong", { "core/agent.yaml": "agent: 5\n" }, /agent\.yaml:1 agent/]
  ]
  for (const [name, files, message] of refused) {
    it.scoped(`does not look like a run that passes: ${name}`, () =>
      Effect.gen(function* () {
        const place = yield* cliPlace({ ...agent, ...files })
        assert.match((yield* Effect.flip(all(place))).message, message)
        assert.deepStrictEqual(place.said.result, [])
      })
    )
  }

  it.scoped("runs a named file of all kinds in place of the core's", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({
        ...agent,
        "mine.yaml": "command: [{ id: a, input: { command: ls }, expect: { decision: allow } }]\n"
      })
      yield* all(place, place.core, join(place.root, "mine.yaml"))
      assert.deepStrictEqual(place.said.result, ["1 passed, 0 failed"])
    })
  )
})

describe("gatehouse check KIND --expect", () => {
  it.scoped("takes YAML as well as JSON, of its own kind only", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({
        "good.yaml": "- { id: a, input: { command: ls }, expect: { decision: allow } }\n",
        "good.json": JSON.stringify([
          { id: "a", kind: "plain-read", input: { command: "ls" }, expect: { risk: "low" } }
        ]),
        "other.yaml": "url: [{ id: a, input: { url: 'https://example.com/' }, expect: {} }]\n"
      })
      const check = (file: string) =>
        runCheck({ kind: "command", rest: [], json: false, expect: join(place.root, file) }).pipe(
          Effect.provide(commandLayer(place))
        )
      yield* check("good.yaml")
      yield* check("good.json")
      assert.deepStrictEqual(place.said.result, ["1 passed, 0 failed", "1 passed, 0 failed"])
      assert.match((yield* Effect.flip(check("other.yaml"))).message, /other\.yaml:1 a: is of kind url, not command/)
    })
  )
})

describe("gatehouse check, as it is typed", () => {
  it.scoped("marks the words that made a command ask", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({})
      yield* runCheck({ kind: "command", rest: ["ls; npm test"], json: false, expect: null }).pipe(
        Effect.provide(commandLayer(place))
      )
      assert.match(place.said.result.join("\n"), /^ {2}ls; npm test\n {6}\^+ npm .*\n\ndecision +prompt\n/)
    })
  )

  it.scoped("takes one question, and no half of an unquoted one", () =>
    Effect.gen(function* () {
      const place = yield* cliPlace(agent)
      const asked = (rest: ReadonlyArray<string>) =>
        Effect.flip(
          runCheck({ kind: "command", rest, json: false, expect: null }).pipe(Effect.provide(commandLayer(place)))
        )
      assert.match((yield* asked(["rm", "-rf", "x"])).message, /takes one question/)
      const call = (rest: ReadonlyArray<string>) =>
        Effect.flip(
          runCheckCall({ ...place.places, rest, as: "local", json: false, expect: null }).pipe(
            Effect.provide(commandLayer(place))
          )
        )
      assert.match((yield* call([])).message, /takes a tool and its arguments/)
      assert.match((yield* call(["read_file", "{", "}"])).message, /takes a tool and its arguments/)
      assert.match((yield* call(["read_file", "{"])).message, /are no JSON/)
      assert.match((yield* call(["read_file", '{"path":"a","path":"b"}'])).message, /the field path twice/)
    })
  )
})
