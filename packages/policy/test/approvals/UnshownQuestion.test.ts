import { assert, describe, it } from "@effect/vitest"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { Approvals } from "@gatehouse/policy/approvals/Approvals"
import { layerPendingApprovalsMemory } from "@gatehouse/policy/approvals/PendingApprovalsMemory"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type { FaultStage } from "@gatehouse/policy/redaction/RedactorLive"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { testPlan, testQuestion } from "./TestQuestion.ts"

const secret = ["fake-u", "st-", "91-zq", "W8e"].join("")

/** Somebody who would allow anything. */
const approvals = (stage: FaultStage, asked: Array<ApprovalPrompt>) =>
  Approvals.layer({ fingerprintKey: new Uint8Array(32) }).pipe(
    Layer.provide([
      layerPendingApprovalsMemory,
      ApprovalPrompter.layerScripted(["allow"], asked),
      RuntimeEvents.layerNone,
      Redactor.layer({ homeKey: new Uint8Array(32), hostEnvironment: {}, faults: { stage } })
    ])
  )

describe("a question that cannot be shown is not asked, and is a denial", () => {
  const steps: ReadonlyArray<FaultStage> = ["copy", "serialize", "collect", "mask"]
  const plans = {
    "its preview": testPlan({ preview: { password: secret } }),
    "its target": testPlan({ target: `token=${secret}` })
  }
  for (const stage of steps) {
    for (const [what, plan] of Object.entries(plans)) {
      it.effect(`where ${what} fails at ${stage}`, () => {
        const asked: Array<ApprovalPrompt> = []
        return Effect.gen(function* () {
          const { decide } = yield* Approvals
          const outcome = yield* decide(testQuestion({ plan }))
          assert.strictEqual(outcome.decision, "denied")
          assert.deepStrictEqual(asked, [])
          assert.notInclude(JSON.stringify(outcome), secret)
        }).pipe(Effect.provide(approvals(stage, asked)))
      })
    }
  }
  it.effect("while one that can be shown is asked", () => {
    const asked: Array<ApprovalPrompt> = []
    return Effect.gen(function* () {
      const outcome = yield* Effect.flatMap(Approvals, ({ decide }) => decide(testQuestion()))
      assert.deepStrictEqual([outcome.decision, asked.length], ["allowed", 1])
    }).pipe(Effect.provide(approvals("render", asked)))
  })
})
