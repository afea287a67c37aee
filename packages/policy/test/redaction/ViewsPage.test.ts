import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { viewNames } from "@gatehouse/core/View"
import { noSources, redactorOf } from "./cases.ts"

/** The call that `docs/views.md` shows: a deployment that failed and repeated its token. */
const token = ["ghp", "_", "FAKE", "abcdefghijklmnopqrstuvwxyz012345"].join("")
const call = {
  tool: "terminal",
  action: "run a command",
  target: `deploy --token ${token} --region eu`,
  status: "failed",
  executionStarted: true,
  mayHaveHappened: true,
  arguments: { command: `deploy --token ${token} --region eu`, env: { DEPLOY_KEY: "k-77" } },
  text: `\u001b[31mdenied\u001b[0m for ${token}\nregion eu is locked`,
  data: { exit_code: 1, stderr: `denied for ${token}\nregion eu is locked` },
  operatorText: null,
  operatorData: null,
  artifacts: [{ id: "artifact_5f0c", name: "stderr.txt", mediaType: "text/plain", bytes: 68 }],
  error: {
    tag: "AdapterError",
    stage: "adapter",
    message: "the command ended with exit status 1",
    remedy: "Read its standard error, then try again."
  },
  stages: [
    { stage: "capability", verdict: "passed", rule: "agent.yaml:14 grants process.run", micros: 2 },
    { stage: "approval", verdict: "passed", rule: "answered once by the owner", micros: 2_140_511 },
    { stage: "adapter", verdict: "failed", rule: "exit status 1", micros: 48_220 }
  ],
  displayPolicy: "full",
  modelOutputPolicy: "content"
} as const

describe("docs/views.md", () => {
  const page = readFileSync(new URL("../../../../docs/views.md", import.meta.url), "utf8")
  const { views } = redactorOf().render(call, noSources)

  it("shows no secret", () => {
    assert.notInclude(page, token)
    for (const name of viewNames) assert.notInclude(JSON.stringify(views[name]), token)
  })

  for (const name of viewNames) {
    it(`shows the ${name} view as it is`, () => {
      assert.include(page, `\`\`\`json\n${JSON.stringify(views[name], null, 2)}\n\`\`\``)
    })
  }
})
