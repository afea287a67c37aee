import { assert, describe, it } from "@effect/vitest"
import { matchCapability } from "@gatehouse/policy/capabilities/CapabilityMatch"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

describe("capability-match.json", () => {
  for (const test of loadCases("capability-match")) {
    it(test.id, () => {
      const { grants, required, lookup, component, component_grants, component_declares } = test.input
      const answer = matchCapability({
        grants,
        required,
        lookup: lookup ?? "default",
        component,
        componentGrants: component_grants,
        componentDeclares: component_declares
      })
      assert.deepStrictEqual(kinds["capability-match"].compare(test, answer), [])
    })
  }
})
