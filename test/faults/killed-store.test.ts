/** `kill -9` of a host whose sessions write: nothing that was reported is lost, and everything begun has an end. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { killOnce } from "../../packages/control-plane/test/support/kills.ts"

/** More with GATEHOUSE_KILLS: the 200 of the promise take about two minutes. */
const kills = Number(process.env["GATEHOUSE_KILLS"] ?? 40)

it.live(
  "hosts with eight sessions are killed at moments of chance, and their homes tell the truth",
  () =>
    Effect.gen(function* () {
      let reported = 0
      let indeterminate = 0
      for (let kill = 0; kill < kills; kill++) {
        // Spread over a third of a second, unevenly, the same in every run.
        const report = yield* killOnce((kill * 137) % 331)
        assert.deepStrictEqual({ ...report, reported: 0, indeterminate: 0 }, truthful)
        reported += report.reported
        indeterminate += report.indeterminate
      }
      assert.isAbove(reported, kills)
      assert.isAbove(indeterminate, 0)
      yield* Effect.logInfo(`${kills} kills: ${reported} reported outcomes kept, ${indeterminate} calls indeterminate`)
    }),
  600_000
)

const truthful = { reported: 0, lost: 0, invented: 0, endless: 0, indeterminate: 0, sound: true }
