import { assert, describe, it } from "@effect/vitest"
import { type ApprovalBinding, bindingKey, ruleFingerprint } from "@gatehouse/policy/approvals/ApprovalBinding"
import { makeApprovalCache, sessionAnswerLimit, sessionAnswerNanos } from "@gatehouse/policy/approvals/ApprovalCache"
import { terminalShape } from "@gatehouse/policy/approvals/TerminalApproval"
import * as fc from "fast-check"

const binding: ApprovalBinding = {
  principal: "p1",
  session: "s1",
  core: "/core",
  coreRevision: "r1",
  workspace: "/ws",
  capabilities: "c1",
  policy: "prompt",
  risk: "medium",
  entry: "e1",
  action: "write",
  target: "a.txt",
  shape: { command: "x", options: [1, true, null] }
}
const remembering = (given: ApprovalBinding, now = 0n) => {
  const cache = makeApprovalCache()
  const { question } = cache.join(given, true)
  assert.deepStrictEqual(cache.settle(question, "always_allow_for_session", now), { decision: "allowed", kept: true })
  return cache
}

describe("the approval cache", () => {
  it("covers the same binding, and none that differs in any part", () => {
    const parts = Object.keys(binding).filter((part) => part !== "policy" && part !== "risk" && part !== "shape")
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("", '"', ",", "\u0000", '","', "p1", "s1"))
    fc.assert(
      fc.property(fc.constantFrom(...parts), text, text, (part, left, right) => {
        const cache = remembering({ ...binding, [part]: left })
        assert.strictEqual(cache.admit({ ...binding, [part]: left }, 1n), "cached")
        assert.strictEqual(cache.admit({ ...binding, [part]: right }, 1n), left === right ? "cached" : "prompt")
      })
    )
    const cache = remembering(binding)
    assert.strictEqual(cache.admit({ ...binding, risk: "high" }, 1n), "prompt")
    assert.strictEqual(cache.admit({ ...binding, shape: null }, 1n), "prompt")
    assert.strictEqual(cache.admit({ ...binding, policy: "deny" }, 1n), "denied")
    assert.strictEqual(cache.admit({ ...binding, shape: { options: [1, true, null], command: "x" } }, 1n), "cached")
  })

  it("keeps parts apart that a separator would join", () => {
    const text = fc.string({ unit: fc.constantFrom("a", ":", "1"), maxLength: 4 })
    const separator = fc.constantFrom(":", "1:", "\u0000", ",", '","', "")
    fc.assert(
      fc.property(text, separator, text, text, (left, between, middle, right) => {
        const early = { ...binding, action: left, target: `${middle}${between}${right}` }
        const late = { ...binding, action: `${left}${between}${middle}`, target: right }
        fc.pre(early.action !== late.action)
        assert.notStrictEqual(bindingKey(early), bindingKey(late))
      })
    )
  })

  it("is over at exactly eight hours, however often it was used", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 18n }),
        fc.array(fc.bigInt({ min: 0n, max: sessionAnswerNanos - 1n })),
        (start, uses) => {
          const cache = remembering(binding, start)
          for (const use of uses) assert.strictEqual(cache.admit(binding, start + use), "cached")
          assert.strictEqual(cache.admit(binding, start + sessionAnswerNanos - 1n), "cached")
          assert.strictEqual(cache.admit(binding, start + sessionAnswerNanos), "prompt")
          assert.strictEqual(cache.admit(binding, start + sessionAnswerNanos - 1n), "prompt", "what is gone stays gone")
        }
      )
    )
  })

  it("takes two words for yes and every other for no", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom("allow ", "Allow", "always_allow", "yes", "")), (word) => {
        fc.pre(word !== "allow" && word !== "always_allow_for_session")
        const cache = makeApprovalCache()
        assert.deepStrictEqual(cache.settle(cache.join(binding, true).question, word, 0n), {
          decision: "denied",
          reason: "person"
        })
        assert.strictEqual(cache.admit(binding, 0n), "prompt")
      })
    )
  })

  it("drops what a loss names and nothing else, and voids what is open", () => {
    const losses = [
      [
        { of: "session", session: "s1" },
        { ...binding, session: "s2" }
      ],
      [
        { of: "principal", principal: "p1" },
        { ...binding, principal: "p2" }
      ],
      [
        { of: "core", core: "/core" },
        { ...binding, core: "/core2" }
      ]
    ] as const
    for (const [loss, other] of losses) {
      const cache = remembering(binding)
      cache.settle(cache.join(other, true).question, "always_allow_for_session", 0n)
      const open = cache.join({ ...binding, target: "b.txt" }, true).question
      const foreign = cache.join({ ...other, target: "b.txt" }, true).question
      assert.deepStrictEqual(cache.drop(loss), [open])
      assert.strictEqual(cache.admit(binding, 0n), "prompt")
      assert.strictEqual(cache.admit(other, 0n), "cached")
      assert.deepStrictEqual(cache.settle(open, "always_allow_for_session", 0n), {
        decision: "denied",
        reason: "revoked"
      })
      assert.strictEqual(cache.admit(open.binding, 0n), "prompt")
      assert.strictEqual(cache.settle(foreign, "allow", 0n).decision, "allowed")
    }
  })

  it("counts one answer a question, and none once nobody waits", () => {
    const cache = makeApprovalCache()
    const { question } = cache.join(binding, true)
    assert.deepStrictEqual(cache.join(binding, true), { question, first: false })
    assert.isTrue(cache.join(binding, false).first, "what may not be kept is not shared")
    cache.settle(question, "deny", 0n)
    assert.deepStrictEqual(cache.settle(question, "always_allow_for_session", 0n), {
      decision: "denied",
      reason: "over"
    })
    const next = cache.join(binding, true)
    assert.isTrue(next.first)
    cache.withdraw(next.question)
    assert.strictEqual(cache.settle(next.question, "allow", 0n).decision, "denied")
    assert.strictEqual(cache.admit(binding, 0n), "prompt")
  })

  it("denies everything after its end", () => {
    const cache = remembering(binding)
    const { question } = cache.join({ ...binding, target: "b.txt" }, true)
    assert.deepStrictEqual(cache.close(), [question])
    for (const policy of ["auto", "prompt", "deny"] as const)
      assert.strictEqual(cache.admit({ ...binding, policy }, 0n), "closed")
    assert.deepStrictEqual(cache.settle(question, "allow", 0n), { decision: "denied", reason: "closed" })
    assert.deepStrictEqual(cache.settle(cache.join(binding, true).question, "allow", 0n), {
      decision: "denied",
      reason: "closed"
    })
  })

  it("forgets the oldest answer beyond its bound", () => {
    const cache = makeApprovalCache()
    const answer = (target: string) =>
      cache.settle(cache.join({ ...binding, target }, true).question, "always_allow_for_session", 0n)
    for (let index = 0; index <= sessionAnswerLimit; index++) answer(String(index))
    assert.strictEqual(cache.admit({ ...binding, target: "0" }, 0n), "prompt")
    assert.strictEqual(cache.admit({ ...binding, target: "1" }, 0n), "cached")
  })
})

describe("how a rule is named", () => {
  it("shows nothing of its parts and cannot be made without the home's key", () => {
    const name = ruleFingerprint(new Uint8Array(32), bindingKey(binding))
    assert.match(name, /^[0-9a-f]{16}$/)
    assert.notStrictEqual(name, ruleFingerprint(new Uint8Array(32).fill(1), bindingKey(binding)))
  })
})

describe("the shape of a terminal call", () => {
  it("changes with command, folder, overlay and options, and holds none of them", () => {
    const call = {
      command: "echo $HOME",
      cwd: "/ws",
      overlay: { A: "value-of-a" },
      background: false,
      timeoutSeconds: 30
    }
    const shape = (changes: Partial<typeof call>) =>
      JSON.stringify(terminalShape(new Uint8Array(32), { ...call, ...changes }))
    const others = [
      { command: "echo  $HOME" },
      { cwd: "/ws/src" },
      { overlay: { A: "2" } },
      { overlay: { B: "value-of-a" } }
    ]
    const more = [{ background: true }, { timeoutSeconds: 31 }, { overlay: { A: "value-of-a", B: "" } }]
    const shapes = [{}, ...others, ...more].map((changes) => shape(changes))
    assert.strictEqual(new Set(shapes).size, shapes.length)
    assert.strictEqual(shape({}), shape({}))
    assert.notMatch(shapes.join(""), /value-of-a|HOME|\/ws/)
  })
})
