import { type Policy, policies, stricter } from "@gatehouse/core/Policy"
import { graver, type Risk, risks } from "@gatehouse/core/Risk"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const policy = fc.constantFrom<Policy>(...policies)
const risk = fc.constantFrom<Risk>(...risks)

describe("the lattices", () => {
  it("are ordered as the design orders them", () => {
    assert.strictEqual(stricter("auto", "prompt"), "prompt")
    assert.strictEqual(stricter("deny", "prompt"), "deny")
    assert.strictEqual(graver("low", "medium"), "medium")
    assert.strictEqual(graver("critical", "high"), "critical")
  })

  it("merge monotonically: the order of merging does not matter, and nothing is ever loosened", () => {
    fc.assert(
      fc.property(policy, policy, policy, risk, risk, (a, b, c, r, s) => {
        assert.strictEqual(stricter(a, b), stricter(b, a))
        assert.strictEqual(stricter(stricter(a, b), c), stricter(a, stricter(b, c)))
        assert.isAtLeast(policies.indexOf(stricter(a, b)), policies.indexOf(a))
        assert.strictEqual(graver(r, s), graver(s, r))
        assert.isAtLeast(risks.indexOf(graver(r, s)), risks.indexOf(s))
      })
    )
  })
})
