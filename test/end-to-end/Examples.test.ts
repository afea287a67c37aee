/** The examples are hosts that a platform team would write: they run as they stand. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { callOnce } from "@gatehouse/example-custom-host/CustomHost"
import { clockSource } from "@gatehouse/example-effect-source/ClockSource"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import * as Effect from "effect/Effect"
import { generousCore, testPlace, withHost } from "../support/TestHost.ts"

const clockCore = { "agent.yaml": `${generousCore}    clock.read: {scope: workspace}\n` }

describe("examples/custom-host", () => {
  it.scopedLive("answers by its own rule what other hosts would ask a person", () =>
    Effect.gen(function* () {
      const place = yield* testPlace({})
      const written = yield* callOnce(place, "write_file", { path: "note.md", content: "by rule" })
      assert.strictEqual(written.status, "succeeded")
      assert.strictEqual(readFileSync(join(place.workspace, "note.md"), "utf8"), "by rule")
      const graver = yield* callOnce(place, "terminal", { command: "npm install left-pad" })
      assert.deepStrictEqual([graver.status, graver.error?.stage], ["denied", "approval"])
      assert.include(graver.stages.find(({ stage }) => stage === "approval")?.rule ?? "", "team rule")
    })
  )
})

describe("examples/effect-source", () => {
  it.live("adds a tool that passes the same stages", () =>
    withHost({ core: clockCore, sources: [clockSource] }, ({ turn }) =>
      Effect.gen(function* () {
        const told = yield* executeCall(turn, "clock_read", { zone: "Europe/Vienna" })
        assert.strictEqual(told.status, "succeeded")
        assert.match(told.views.model.text, /^\d{4}-\d\d-\d\dT.*\[Europe\/Vienna\]$/)
        const wrong = yield* executeCall(turn, "clock_read", { zone: "Nowhere/Land" })
        assert.deepStrictEqual([wrong.status, wrong.error?.stage], ["invalid", "preflight"])
      })
    )
  )
  it.live("is denied where its capability is not granted", () =>
    withHost({ sources: [clockSource] }, ({ turn }) =>
      Effect.map(executeCall(turn, "clock_read", {}), (result) =>
        assert.deepStrictEqual([result.status, result.error?.stage], ["denied", "capability"])
      )
    )
  )
})
