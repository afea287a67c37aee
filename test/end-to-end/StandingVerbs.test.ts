/** `gatehouse approvals standing`: from the words that are typed to the settings that a host hears. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import {
  runStandingAdd,
  runStandingList,
  runStandingRemove,
  runStandingTest,
  type StandingAddArguments
} from "@gatehouse/host/cli/verbs/StandingAnswers"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { type CliPlace, cliPlace, commandLayer } from "../../packages/host/test/support/CliPlace.ts"
import { typedKeys } from "../../packages/host/test/support/TypedKeys.ts"
import { admitTestTurn, generousCore, hostOver, type TestHost } from "../support/TestHost.ts"

const files = {
  "core/agent.yaml": generousCore,
  "core/agent/tools/note/tool.yaml": "description: Notes.\n",
  "core/agent/tools/note/module.mjs": "export const execute = () => 'noted'\n",
  "home/settings.yaml": "# mine\n"
}
const nothingTyped = {
  commands: [],
  prefixes: [],
  path: null,
  server: null,
  arguments: null,
  action: null,
  target: null,
  covers: [],
  leaves: []
}
const given = (
  place: CliPlace,
  tool: string | null,
  condition: Partial<StandingAddArguments["condition"]>,
  more: Partial<StandingAddArguments> = {}
): StandingAddArguments => ({
  ...place.places,
  json: false,
  tool: Option.fromNullable(tool),
  from: Option.none(),
  condition: { ...nothingTyped, ...condition },
  deny: false,
  principal: Option.none(),
  reason: "known",
  until: Option.some("2999-12-31"),
  yes: true,
  ...more
})
const add = (place: CliPlace, args: StandingAddArguments, interactive = false, ...keys: ReadonlyArray<string>) =>
  runStandingAdd(args).pipe(Effect.provide(Layer.merge(commandLayer(place, interactive), typedKeys(...keys))))
const textIn = ({ home }: CliPlace) => readFileSync(join(home, "settings.yaml"), "utf8")

/** Calls in a host over the same home, where nobody can be asked. */
const callAll = (place: CliPlace, calls: ReadonlyArray<readonly [string, unknown]>) => {
  const host: TestHost = { ...place, asked: [], stop: new AbortController() }
  return Effect.scoped(
    Effect.gen(function* () {
      const turn = yield* admitTestTurn(host)
      const results = yield* Effect.forEach(calls, ([tool, args]) => executeCall(turn, tool, args))
      const records = yield* ApprovalRecords
      const { local } = yield* Principals
      return { statuses: results.map(({ status }) => status), asked: yield* records.list(local, "all") }
    })
  ).pipe(Effect.provide(hostOver(host, { settings: textIn(place), answers: null })))
}

describe("gatehouse approvals standing add", () => {
  it.live("keeps what a host then hears, for each kind of condition", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* cliPlace(files)
        yield* add(place, given(place, "terminal", { commands: ["touch a.txt && touch b.txt"] }))
        yield* add(
          place,
          given(place, "terminal", { prefixes: ["mkdir -p"], covers: ["mkdir -p x"], leaves: ["mkdir x"] })
        )
        yield* add(place, given(place, "write_file", { path: "docs/**", covers: ["docs/a.md"], leaves: ["a.md"] }))
        yield* add(place, given(place, "note", { action: "call", target: "note" }))
        assert.isTrue(textIn(place).startsWith("# mine\n"))
        assert.match(textIn(place), /source: authored\n {4}tool: note\n[^]*definition: [0-9a-f]{64}/)
        const { statuses } = yield* callAll(place, [
          ["terminal", { command: "touch b.txt; touch a.txt" }],
          ["terminal", { command: "touch c.txt" }],
          ["terminal", { command: "mkdir -p deep/er" }],
          ["terminal", { command: "mkdir shallow" }],
          ["write_file", { path: "docs/b.md", content: "" }],
          ["write_file", { path: "src/b.md", content: "" }],
          ["note", {}]
        ])
        assert.deepStrictEqual(statuses, [
          "succeeded",
          "denied",
          "succeeded",
          "denied",
          "succeeded",
          "denied",
          "succeeded"
        ])
      })
    )
  )

  it.live("takes the narrowest condition from a question that was asked", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* cliPlace(files)
        const host: TestHost = { ...place, asked: [], stop: new AbortController() }
        const ids = yield* Effect.scoped(
          Effect.gen(function* () {
            const turn = yield* admitTestTurn(host)
            yield* executeCall(turn, "terminal", { command: "touch a.txt" })
            yield* executeCall(turn, "read_file", { path: ".env" })
            const records = yield* ApprovalRecords
            const { local } = yield* Principals
            return yield* records.list(local, "all")
          })
        ).pipe(Effect.provide(hostOver(host, { answers: [] })))
        const [delicate, touched] = ids.map(({ approval }) => approval)
        assert.isUndefined(delicate?.standing, "a delicate place is asked about each time")
        const from = (id: string | undefined) => given(place, null, {}, { from: Option.fromNullable(id) })
        yield* add(place, from(touched?.id))
        assert.include(textIn(place), "principal: local")
        const refused = yield* Effect.flip(add(place, from(delicate?.id)))
        assert.match(String(refused), /no standing answer can be made/)
        const { statuses } = yield* callAll(place, [
          ["terminal", { command: "touch a.txt" }],
          ["terminal", { command: "touch b.txt" }]
        ])
        assert.deepStrictEqual(statuses, ["succeeded", "denied"])
      })
    )
  )

  it.live("shows what it would keep and asks; without a yes nothing is written", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* cliPlace(files)
        const asking = given(place, "terminal", { commands: ["npm test"] }, { yes: false })
        assert.strictEqual((yield* Effect.flip(add(place, asking, true, "n"))).status, "cancelled")
        assert.strictEqual((yield* Effect.flip(add(place, asking, true))).status, "cancelled")
        assert.strictEqual((yield* Effect.flip(add(place, asking))).status, "invalid")
        assert.strictEqual(textIn(place), "# mine\n")
        assert.include(place.said.note.join("\n"), "words: [ npm, test ]")
        yield* add(place, asking, true, "y")
        assert.include(textIn(place), "words: [ npm, test ]")
      })
    )
  )

  it.live("knows the host's own tools without a core, and makes no home before it keeps something", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* cliPlace({ "workspace/a.txt": "" })
        const bare = { ...place, places: { ...place.places, core: Option.none() } }
        yield* Effect.flip(add(bare, given(bare, "note", { action: "call", target: "note" })))
        assert.isFalse(existsSync(place.home))
        yield* add(bare, given(bare, "read_file", { path: "/etc/hosts" }))
        assert.include(textIn(place), "pattern: /etc/hosts")
      })
    )
  )

  const wrong: ReadonlyArray<readonly [string, (place: CliPlace) => StandingAddArguments, RegExp]> = [
    ["no condition", (place) => given(place, "terminal", {}), /a condition is missing/],
    ["two conditions", (place) => given(place, "terminal", { commands: ["ls"], path: "a" }), /of one kind/],
    [
      "a wide pattern without examples",
      (place) => given(place, "write_file", { path: "docs/**" }),
      /--covers: is missing/
    ],
    ["a prefix without examples", (place) => given(place, "terminal", { prefixes: ["git"] }), /--covers: is missing/],
    ["words that the shell decides", (place) => given(place, "terminal", { commands: ["rm $FILE"] }), /literal words/],
    [
      "an example that is not covered",
      (place) => given(place, "write_file", { path: "a", covers: ["b"] }),
      /standing_answers\.0\.when\.covers\.0: is not covered/
    ],
    [
      "a schema that is none",
      (place) => given(place, "note", { arguments: "{", server: "s" }),
      /--arguments: is no JSON/
    ],
    ["a tool that nobody has", (place) => given(place, "nothing", { path: "a" }), /there is no tool "nothing"/],
    ["neither tool nor question", (place) => given(place, null, { path: "a" }), /name a tool, or a question/],
    [
      "a day that is none",
      (place) => given(place, "write_file", { path: "a" }, { until: Option.some("soon") }),
      /until: must be a day/
    ],
    ["a blank reason", (place) => given(place, "write_file", { path: "a" }, { reason: " " }), /reason: must be/],
    [
      "an unknown question",
      (place) => given(place, null, {}, { from: Option.some("approval_0") }),
      /there is no question/
    ]
  ]
  for (const [name, args, message] of wrong) {
    it.live(`refuses ${name}, and writes nothing`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const place = yield* cliPlace(files)
          const failure = yield* Effect.flip(add(place, args(place)))
          assert.match(String(failure.message), message)
          assert.strictEqual(textIn(place), "# mine\n")
        })
      )
    )
  }
})

describe("gatehouse approvals standing list, test and remove", () => {
  it.live("number what is there, say what would answer, and take one back", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const place = yield* cliPlace(files)
        const options = { home: place.places.home, json: true }
        const last = () => JSON.parse(place.said.result.at(-1) ?? "")
        yield* add(place, given(place, "terminal", { commands: ["npm test"] }))
        yield* add(
          place,
          given(place, "terminal", { commands: ["npm test"] }, { deny: true, until: Option.some("1999-01-01") })
        )
        yield* runStandingList(options).pipe(Effect.provide(commandLayer(place)))
        assert.deepStrictEqual(
          last().map(({ ended, number }: { ended: boolean; number: number }) => ({ ended, number })),
          [
            { number: 1, ended: false },
            { number: 2, ended: true }
          ]
        )
        const test = (args: string, json = true) =>
          runStandingTest({ ...place.places, tool: "terminal", args, as: "local", json }).pipe(
            Effect.provide(commandLayer(place))
          )
        yield* test('{"command":"npm test"}')
        assert.deepInclude(last(), { decision: "run", standing_answer: 1 })
        yield* test('{"command":"npm test","env":{"A":"1"}}')
        assert.deepInclude(last(), { decision: "ask", standing_answer: null })
        yield* test('{"command":"npm test"}', false)
        assert.match(place.said.result.at(-1) ?? "", /standing answer 1 allows it[^]*it ended with 1999-01-01/)
        yield* runStandingRemove({ ...options, number: 1 }).pipe(Effect.provide(commandLayer(place)))
        assert.strictEqual(last().removed, 1)
        yield* test('{"command":"npm test"}')
        assert.deepInclude(last(), { decision: "ask", standing_answer: null })
        const missing = yield* Effect.flip(
          runStandingRemove({ ...options, number: 2 }).pipe(Effect.provide(commandLayer(place)))
        )
        assert.strictEqual(missing.status, "not_found")
      })
    )
  )
})
