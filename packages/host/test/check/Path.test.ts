import { assert, describe, it } from "@effect/vitest"
import { pathCheck } from "@gatehouse/host/check/Path"
import * as Effect from "effect/Effect"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

describe("gatehouse check path", () => {
  it.effect("answers the shared cases", () =>
    Effect.gen(function* () {
      const faults: Array<string> = []
      for (const test of loadCases("sensitive-paths")) {
        const output = yield* pathCheck.decide(test.input)
        for (const fault of kinds["sensitive-paths"].compare(test, output)) faults.push(`${test.id} ${fault}`)
      }
      assert.deepStrictEqual(faults, [])
    })
  )

  it.effect("refuses what is no question, by the name of the field", () =>
    Effect.gen(function* () {
      const missing = yield* Effect.flip(pathCheck.decide({ workspace: "/ws", home: "/home/me" }))
      assert.include(missing.message, "path: is missing")
      const unknown = yield* Effect.flip(
        pathCheck.decide({ workspace: "/ws", home: "/home/me", path: "a", platform: "plan9" })
      )
      assert.include(unknown.message, "platform")
    })
  )
})
