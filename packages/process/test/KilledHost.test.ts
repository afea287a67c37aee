import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { killHosts } from "./KilledHosts.ts"

it.live(
  "the next start ends what killed hosts left, and nothing else",
  () =>
    Effect.gen(function* () {
      const report = yield* killHosts(2, 4, 400)
      assert.deepStrictEqual(
        { ...report, ended: report.ended > 0 },
        { kills: 8, left: 0, ended: true, othersUntouched: true }
      )
    }),
  60_000
)
