/** `gatehouse check replay`: stored calls under another core and other settings, judged as they would be called. */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { statement } from "@gatehouse/control-plane/Statement"
import { Store } from "@gatehouse/control-plane/Store"
import { runCheckReplay } from "@gatehouse/host/cli/verbs/CheckReplay"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { keptRequestLimit } from "@gatehouse/host/runtime/KeptRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type CliPlace, commandLayer } from "../../packages/host/test/support/CliPlace.ts"
import {
  admitTestTurn,
  generousCore,
  hostOver,
  type TestHost,
  type TestHostOptions,
  testPlace
} from "../support/TestHost.ts"

const options: TestHostOptions = {
  workspace: { "README.md": "# Readme\n" },
  answers: ["allow", "deny"],
  core: { "agent/mcp/docs.yaml": "transport: stdio\ncommand: node\nargs: [server.mjs]\nenabled: false\n" }
}

const calls: ReadonlyArray<readonly [string, unknown]> = [
  ["read_file", { path: "README.md" }],
  ["read_file", { path: "README.md" }],
  ["list_files", { path: "." }],
  ["terminal", { command: "touch made" }],
  ["write_file", { path: "b.txt", content: "text" }],
  ["terminal", { command: "rm -rf /" }],
  ["terminal", { command: "echo password=hunter2-and-more" }],
  ["write_file", { path: "c.txt", content: "x".repeat(keptRequestLimit) }]
]

/** A home in which the calls above were made. */
const called = Effect.gen(function* () {
  const place = yield* testPlace(options)
  yield* Effect.scoped(
    Effect.flatMap(admitTestTurn(place), (turn) =>
      Effect.forEach(calls, ([tool, args]) => executeCall(turn, tool, args))
    )
  ).pipe(Effect.provide(hostOver(place, options)))
  return place
})

interface Answer {
  readonly judged: ReadonlyArray<{
    readonly tool: string
    readonly request: Readonly<Record<string, unknown>>
    readonly times: number
    readonly before: string | null
    readonly now: string
    readonly stage: string
    readonly masked: boolean
  }>
  readonly unjudged: ReadonlyArray<{ readonly tool: string; readonly why: string }>
  readonly calls_of_other_cores: number
}

const cliPlaceOf = (place: TestHost): CliPlace => ({
  ...place,
  said: { result: [], note: [], live: [] },
  places: {
    core: Option.some(place.core),
    workspace: Option.some(place.workspace),
    home: Option.some(place.home)
  }
})

const replay = (place: CliPlace, since = "7d") =>
  Effect.map(
    Effect.provide(runCheckReplay({ ...place.places, since, json: true }), commandLayer(place)),
    (): Answer => JSON.parse(place.said.result.at(-1) ?? "")
  )

const words = ({ judged }: Answer): ReadonlyArray<string> =>
  judged
    .map(
      ({ before, now, request, times, tool }) =>
        `${tool} ${String(request["path"] ?? request["command"])} ${times}: ${before} -> ${now}`
    )
    .sort()

describe("gatehouse check replay", () => {
  it.live("says of each call what was, what would be, and what it cannot judge", () =>
    Effect.gen(function* () {
      const place = cliPlaceOf(yield* called)
      assert.deepStrictEqual(words(yield* replay(place)), [
        "list_files . 1: allowed -> allowed",
        "read_file README.md 2: allowed -> allowed",
        "terminal echo password=<redacted> 1: allowed -> allowed",
        "terminal rm -rf / 1: denied -> denied",
        "terminal touch made 1: asked -> asked",
        "write_file b.txt 1: asked -> asked"
      ])
      const { judged, unjudged } = yield* replay(place)
      assert.deepStrictEqual(
        judged.filter(({ masked }) => masked).map(({ tool }) => tool),
        ["terminal"]
      )
      assert.deepStrictEqual(
        unjudged.map(({ tool }) => tool),
        ["write_file"]
      )
      assert.match(unjudged[0]?.why ?? "", /not kept/)

      writeFileSync(
        join(place.core, "agent.yaml"),
        `${generousCore.replace("    fs.write: {scope: workspace}\n", "")}approval:\n  tools:\n    list_files: prompt\n`
      )
      writeFileSync(
        join(place.home, "settings.yaml"),
        `standing_answers:
  - principal: local
    source: builtin
    tool: terminal
    when: { kind: command, commands: [{ words: [touch], more: true }], covers: [[[touch, a]]], leaves: [[[rm, a]]] }
    reason: touching harms nobody
    until: 2999-12-31
`
      )
      assert.deepStrictEqual(words(yield* replay(place)), [
        "list_files . 1: allowed -> asked",
        "read_file README.md 2: allowed -> allowed",
        "terminal echo password=<redacted> 1: allowed -> allowed",
        "terminal rm -rf / 1: denied -> denied",
        "terminal touch made 1: asked -> allowed",
        "write_file b.txt 1: asked -> denied"
      ])
      yield* Effect.provide(runCheckReplay({ ...place.places, since: "7d", json: false }), commandLayer(place))
      const said = place.said.result.at(-1) ?? ""
      assert.match(said, /^7 calls judged: 2 denied, 1 asked, 4 allowed; 3 differ from what was\n1 not judged: /)
      assert.match(said, /denied +was asked +1 +write_file .*b\.txt.* capability: capability fs\.write is not granted/)
      assert.notInclude(said, "hunter2")
    }).pipe(Effect.scoped)
  )

  it.live("leaves out what is older, and calls of other cores; changes nothing, and makes no home", () =>
    Effect.gen(function* () {
      const made = yield* called
      const place = cliPlaceOf(made)
      const count = (answer: Answer): number => answer.judged.length + answer.unjudged.length
      const old = Effect.flatMap(Store, (store) =>
        store.write({
          statements: [statement("UPDATE effects SET begun_at = ?, settled_at = ? WHERE tool = 'read_file'")(1, 1)]
        })
      )
      yield* Effect.provide(old, hostOver(made, options))
      const records = Effect.provide(
        Effect.flatMap(Effect.all({ effects: EffectRecords, principals: Principals }), ({ effects, principals }) =>
          effects.recent(principals.local, Number.MAX_SAFE_INTEGER)
        ),
        hostOver(made, options)
      )
      const before = yield* records
      assert.strictEqual(count(yield* replay(place, "1h")), 6)
      assert.strictEqual(count(yield* replay(place, "99999w")), 7)
      assert.deepStrictEqual(yield* records, before)
      const other = join(place.root, "other-core")
      yield* Effect.sync(() => writeCore(other))
      const elsewhere = yield* replay({ ...place, places: { ...place.places, core: Option.some(other) } })
      assert.deepStrictEqual([count(elsewhere), elsewhere.calls_of_other_cores], [0, 6])

      const none = { ...place, places: { ...place.places, home: Option.some(join(place.root, "nobody")) } }
      assert.strictEqual((yield* Effect.flip(replay(none))).status, "not_found")
      assert.isFalse(existsSync(join(place.root, "nobody")))
      for (const wrong of ["7", "d", "-1d", "1.5h", "7 d", "9999999999w", ""]) {
        const refused = yield* Effect.flip(replay(place, wrong))
        assert.match(refused.message, /^--since: /)
      }
      assert.isFalse(readdirSync(place.home).some((name) => name.includes("aside")))
    }).pipe(Effect.scoped)
  )
})

const writeCore = (folder: string): void => {
  mkdirSync(folder)
  writeFileSync(join(folder, "agent.yaml"), generousCore)
}
