import { assert, describe, it } from "@effect/vitest"
import { ApprovalId } from "@gatehouse/core/Identifiers"
import { describeQuestion } from "@gatehouse/policy/approvals/DescribeQuestion"
import { makeRedactor } from "@gatehouse/policy/redaction/RedactorLive"
import { testPlan, testQuestion } from "./TestQuestion.ts"

const redactor = makeRedactor({ homeKey: new Uint8Array(32), hostEnvironment: {} }, () => 0)
const secret = ["fake-q", "st-", "77-zq", "W8e"].join("")
const described = (...question: Parameters<typeof testQuestion>) =>
  describeQuestion(testQuestion(...question), { id: ApprovalId("a"), createdAt: 0, deadline: 1 }, { redactor })

describe("a question shows nothing", () => {
  it("that the call's own arguments tell to be secret, wherever it stands", () => {
    const command = `deploy ${secret}`
    const question = described({
      arguments: { command, env: { DEPLOY_TOKEN: secret } },
      plan: testPlan({
        action: "run",
        target: command,
        preview: { command },
        because: [{ rule: `runs ${secret}`, text: secret, start: 7, end: 7 + secret.length }],
        subject: { kind: "command", parts: [["deploy", secret]], blocked: false, literal: true }
      })
    })
    assert.notInclude(JSON.stringify(question), secret)
    assert.strictEqual(question.target, "deploy <redacted>")
    assert.deepStrictEqual(question.because, [{ rule: "runs <redacted>", text: "<redacted>" }])
    assert.isUndefined(question.standing)
  })

  it("that a terminal or a page would obey", () => {
    const target = "rm -rf build \u001b[2K\u001b[1Gls \u202etxt.exe"
    const question = described({
      plan: testPlan({ target, preview: { command: target }, because: [{ rule: target }] })
    })
    assert.notMatch(JSON.stringify(question), /\\u001b|\u001b|\u202e/)
    assert.include(question.target, "␛[2K")
    assert.include(question.target, "<U+202E>")
  })
})

it("positions stay where the target is shown as it is", () => {
  const because = [{ rule: "removes", text: "rm", start: 0, end: 2 }]
  assert.deepStrictEqual(described({ plan: testPlan({ target: "rm a", because }) }).because, because)
})
