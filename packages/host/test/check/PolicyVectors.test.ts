import { assert, describe, it } from "@effect/vitest"
import { approvalCheck } from "@gatehouse/host/check/Approval"
import { capabilityCheck } from "@gatehouse/host/check/Capability"
import type { CheckKind } from "@gatehouse/host/check/CheckKind"
import { envCheck } from "@gatehouse/host/check/Env"
import * as Effect from "effect/Effect"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

const checks: ReadonlyArray<readonly ["capability-match" | "approval-merge" | "env-allowlist", CheckKind]> = [
  ["capability-match", capabilityCheck],
  ["approval-merge", approvalCheck],
  ["env-allowlist", envCheck]
]

for (const [name, check] of checks) {
  describe(`${name}.json through gatehouse check ${check.name}`, () => {
    for (const test of loadCases(name)) {
      it.effect(`${test.id} ${test.kind}`, () =>
        Effect.map(check.decide(test.input), (output) => {
          assert.deepStrictEqual(kinds[name].compare(test, output), [])
        })
      )
    }

    it.effect("refuses a field that it does not know, and names it", () =>
      Effect.map(Effect.flip(check.decide({ required: "fs.read", grant: ["fs.read"] })), ({ message }) => {
        assert.match(message, /^grant: is no field|^required: is no field/)
      })
    )
  })
}
