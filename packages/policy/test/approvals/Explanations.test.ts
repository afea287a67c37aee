/** What "why?" is answered with: it is decided by the same code as the answer, and agrees with it. */
import { assert, describe, it } from "@effect/vitest"
import { ApprovalId } from "@gatehouse/core/Identifiers"
import { type Policy, policies } from "@gatehouse/core/Policy"
import { type ApprovalSettings, noApprovalSettings } from "@gatehouse/core/PolicyMerge"
import { type Risk, risks } from "@gatehouse/core/Risk"
import type { ApprovalQuestion } from "@gatehouse/policy/approvals/Approvals"
import { callPolicy, callVoices } from "@gatehouse/policy/approvals/CallPolicy"
import { describeQuestion } from "@gatehouse/policy/approvals/DescribeQuestion"
import { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import {
  compileStandingAnswers,
  explainStandingAnswers,
  mayStandingAnswer
} from "@gatehouse/policy/approvals/standing/StandingAnswers"
import { suggestionLimit } from "@gatehouse/policy/approvals/standing/StandingSuggestion"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { testEntry, testPlan, testQuestion } from "./TestQuestion.ts"

const policyOf = fc.constantFrom<Policy>(...policies)
const riskOf = fc.constantFrom<Risk>(...risks)
const blockOf = (name: string): fc.Arbitrary<ApprovalSettings> =>
  fc.array(fc.tuple(riskOf, policyOf)).map((said) => ({
    ...noApprovalSettings,
    risks: new Map(said.map(([risk, policy]) => [risk, { policy, origin: `${name} ${risk}` }]))
  }))

describe("the voices about a call", () => {
  it("hold the one that decided, and none is stricter", () => {
    fc.assert(
      fc.property(
        policyOf,
        riskOf,
        policyOf,
        riskOf,
        blockOf("core"),
        blockOf("global"),
        (own, risk, asks, found, core, global) => {
          const entry = testEntry({ risk, policy: { effective: own, decidedBy: "entry" } })
          const input = { entry, plan: { policy: asks, risk: found, because: [{ rule: "a check" }] }, core, global }
          const decided = callPolicy(input)
          const voices = [{ by: "entry", policy: own, origin: "entry" }, ...callVoices(input)]
          const strictest = Math.max(...voices.map(({ policy }) => policies.indexOf(policy)))
          assert.strictEqual(policies.indexOf(decided.policy), strictest)
          assert.deepStrictEqual(voices.find(({ policy }) => policy === decided.policy)?.origin, decided.decidedBy)
        }
      )
    )
  })
})

const now = Date.parse("2026-06-01T00:00:00Z")
const path = (pattern: string, changes: Record<string, unknown> = {}) => ({
  principal: "p1",
  source: "builtin",
  tool: "write_file",
  when: { kind: "path", pattern, covers: [pattern], leaves: [`${pattern}.other`] },
  reason: `about ${pattern}`,
  until: "2026-12-31",
  ...changes
})
const decode = Schema.decodeUnknownSync(Schema.Array(StandingAnswer))
const looks = (question: ApprovalQuestion, ...answers: ReadonlyArray<unknown>) =>
  Either.getOrThrow(explainStandingAnswers(decode(answers)))(question, now)
const file = (name: string, changes: Partial<ApprovalQuestion> = {}) =>
  testQuestion({
    plan: testPlan({ subject: { kind: "path", path: `/ws/${name}`, insideWorkspace: true, sensitive: false } }),
    ...changes
  })

describe("what standing answers make of a question", () => {
  it("says for each what keeps it from answering", () => {
    const found = looks(
      file("a.txt"),
      path("b.txt"),
      path("a.txt", { principal: "p2" }),
      path("a.txt", { tool: "patch" }),
      path("a.txt", { until: "2026-05-31" }),
      path("a.txt", { source: "authored", definition: "0".repeat(64) }),
      path("a.txt", { definition: "0".repeat(64) }),
      path("a.txt")
    )
    assert.deepStrictEqual(
      found.map(({ number, whyNot }) => [number, whyNot]),
      [
        [1, "its condition (path) does not cover the call"],
        [2, "it is for another principal"],
        [3, "it is for tool patch"],
        [4, "it ended with 2026-05-31"],
        [5, "it is for source authored"],
        [6, "the tool's definition changed since it was given"],
        [7, null]
      ]
    )
  })

  it("agrees with the answer that is given: the first without a reason against it", () => {
    const names = fc.constantFrom("a.txt", "b.txt", "c.txt")
    const said = fc.record({
      name: names,
      answer: fc.constantFrom("allow", "deny"),
      until: fc.constantFrom("2026-12-31", "2026-01-01")
    })
    fc.assert(
      fc.property(fc.array(said), names, policyOf, fc.boolean(), (all, name, policy, kept) => {
        const answers = all.map((one) => path(one.name, { answer: one.answer, until: one.until }))
        const question = file(name, { policy })
        const asked = { ...question, plan: { ...question.plan, sessionCacheable: kept } }
        const verdict = Either.getOrThrow(compileStandingAnswers(decode(answers)))(asked, now)
        const first = looks(asked, ...answers).find(({ whyNot }) => whyNot === null)
        assert.deepStrictEqual(first === undefined ? null : first.number, verdict?.number ?? null)
        if (!mayStandingAnswer(asked)) assert.isNull(verdict)
      })
    )
  })
})

describe("the offer of always", () => {
  const opened = { id: ApprovalId("approval_1"), createdAt: 0, deadline: 1 }
  const words = (hides: string) => ({
    redactor: {
      text: (text: string) => text.replaceAll(hides, "***"),
      preview: () => null
    },
    principalName: () => "local"
  })
  const offerFor = (question: ApprovalQuestion, hides = "\0") =>
    describeQuestion(question, opened, words(hides)).standing

  it("names the principal as the owner knows it", () => {
    assert.deepInclude(Object(offerFor(file("a.txt"))?.answer), { principal: "local", tool: "write_file" })
    assert.strictEqual(offerFor(file("a.txt"))?.label, "always for a.txt")
  })

  it("is not made where it may not be kept, would write down what is hidden, or is too long to be read", () => {
    assert.isUndefined(offerFor(file("a.txt", { policy: "deny" })))
    assert.isUndefined(offerFor(file("token-abc.txt"), "abc"))
    assert.isUndefined(offerFor(file(`${"a".repeat(suggestionLimit)}.txt`)))
  })
})
