/** `kill -9` of the host at any moment: the next start ends all of its own, and nothing else. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { killHosts } from "../../packages/process/test/KilledHosts.ts"

it.live(
  "fifty hosts are killed at moments of chance, and no process of theirs is left",
  () =>
    Effect.gen(function* () {
      const report = yield* killHosts(10, 5, 500)
      assert.deepStrictEqual(
        { ...report, ended: report.ended > 50 },
        { kills: 50, left: 0, ended: true, othersUntouched: true }
      )
    }),
  180_000
)
