/** What a host leaves that is killed in the middle: nothing lost, nothing invented, everything begun has an end. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { killOnce } from "./support/kills.ts"

it.live("keeps every reported outcome and ends every begun effect after kill -9", () =>
  Effect.gen(function* () {
    // Moments between the first effect and some dozens of groups later.
    for (const millis of [0, 3, 17, 60, 140]) {
      const report = yield* killOnce(millis)
      assert.deepStrictEqual({ ...report, reported: 0, indeterminate: 0 }, clean)
      assert.isAtMost(report.indeterminate, 8)
    }
  })
)

const clean = { reported: 0, lost: 0, invented: 0, endless: 0, indeterminate: 0, sound: true }
