/** `gatehouse doctor --canary` as a person and a script see it. */
import { assert, describe, it } from "@effect/vitest"
import { exitStatus } from "@gatehouse/host/cli/ExitStatus"
import { runCanaryVerb, tellReport } from "@gatehouse/host/cli/verbs/Canary"
import * as Effect from "effect/Effect"
import { cliPlace, commandLayer } from "../support/CliPlace.ts"

const minute = 60_000

it.scopedLive(
  "says what was planted and searched, for a person and for a script, and leaves nothing behind",
  () =>
    Effect.gen(function* () {
      const place = yield* cliPlace({})
      const run = (json: boolean) => Effect.provide(Effect.exit(runCanaryVerb({ json })), commandLayer(place))
      assert.isTrue((yield* run(false))._tag === "Success", place.said.result.join("\n"))
      const [shown = ""] = place.said.result
      assert.match(shown, /Planted \d+ secrets .* made \d+ calls/)
      assert.match(shown, /Searched \d+ sinks/)
      assert.include(shown, "None of them came out anywhere.")
      yield* run(true)
      const report: unknown = JSON.parse(place.said.result[1] ?? "")
      assert.deepInclude(report, { leaks: [], unexpected: [] })
    }),
  2 * minute
)

describe("a report fails the command", () => {
  const clean = {
    calls: 1,
    secrets: 1,
    sinks: ["model view", "home/store.db (host closed)"],
    leaks: [],
    unexpected: []
  }
  const told = (report: Parameters<typeof tellReport>[0]) =>
    Effect.flatMap(cliPlace({}), (place) =>
      Effect.map(Effect.provide(Effect.either(tellReport(report, false)), commandLayer(place)), (ended) => ({
        status: ended._tag === "Left" ? exitStatus[ended.left.status] : 0,
        shown: place.said.result.join("\n")
      }))
    )
  it.scoped("where something was found, and names the sink, the place and the spelling", () =>
    Effect.gen(function* () {
      const leak = { sink: "model view", place: "a header", spelling: "base64" }
      const { shown, status } = yield* told({ ...clean, leaks: [leak] })
      assert.strictEqual(status, 1)
      assert.include(shown, "model view shows a header (base64)")
      assert.notInclude(shown, "None of them")
    })
  )
  it.scoped("where a call did not end as it must", () =>
    Effect.gen(function* () {
      const end = { tool: "terminal", expected: "succeeded", status: "denied", message: "no" } as const
      const { shown, status } = yield* told({ ...clean, unexpected: [end] })
      assert.strictEqual(status, 1)
      assert.include(shown, "terminal ended as denied and not as succeeded")
    })
  )
  it.scoped("and nothing else does", () =>
    Effect.map(told(clean), ({ shown, status }) => {
      assert.strictEqual(status, 0)
      assert.include(shown, "1 views, records, prompts, logs and faces, 1 files of the home")
    })
  )
})
