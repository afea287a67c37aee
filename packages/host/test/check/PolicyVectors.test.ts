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
  })
}

describe("a question that does not fit", () => {
  const wrong: ReadonlyArray<readonly [CheckKind, unknown, RegExp]> = [
    [capabilityCheck, { required: "fs.read", grant: ["fs.read"] }, /^grant: is no field/],
    [capabilityCheck, {}, /^required: is missing/],
    [envCheck, { purpose: "shell" }, /^purpose: has a type or a word/],
    [
      approvalCheck,
      { case: "merge", source: "builtin", tool: "a", registry: {}, core: { default: "yes-please" } },
      /^core\.default/
    ],
    [approvalCheck, { case: "session", first: { policy: "allow-me" } }, /^policy: has a type or a word/],
    [approvalCheck, "hunter2-hunter2", /^the input/]
  ]
  for (const [check, input, message] of wrong) {
    it.effect(`is refused with its place, and no value: ${check.name} ${message.source}`, () =>
      Effect.map(Effect.flip(check.decide(input)), (refused) => {
        assert.match(refused.message, message)
        assert.notMatch(refused.message, /yes-please|allow-me|hunter2/)
      })
    )
  }
})
