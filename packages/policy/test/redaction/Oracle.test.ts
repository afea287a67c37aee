/**
 * A second opinion: what secretlint's recommended rules call a secret in our corpus must not be found any more once it
 * was redacted. Only the tests know secretlint; what Gatehouse masks is decided by its own rules.
 */
import { assert, describe, it } from "@effect/vitest"
import { tokenShapes } from "@gatehouse/policy/redaction/text/TokenShapes"
import { lintSource } from "@secretlint/core"
import { creator } from "@secretlint/secretlint-rule-preset-recommend"
import { loadCases } from "../../../../test/vectors/run.mjs"
import { leavesOf, noSources, redactorOf } from "./cases.ts"

const findingsIn = async (content: string): Promise<ReadonlyArray<string>> => {
  const { messages } = await lintSource({
    source: { filePath: "/corpus.txt", content, contentType: "text", ext: ".txt" },
    options: { config: { rules: [{ id: "preset", rule: creator, options: {} }] } }
  })
  return messages.map(({ ruleId, range }) => `${ruleId}: ${content.slice(...range)}`)
}

/** Bodies that are random rather than the alphabet in order: the oracle's rules look at entropy and at checksums. */
const random = (length: number, alphabet: string, seed: number): string => {
  let state = seed
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return alphabet.charAt((state >> 8) % alphabet.length)
  }).join("")
}
const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
const capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

const corpus: ReadonlyArray<string> = [
  ...tokenShapes.flatMap((shape) => shape.matches),
  `ghp_${random(36, letters, 1)}`,
  `AKIA${random(16, capitals, 2)}`,
  `aws_secret_access_key = ${random(40, letters, 3)}`,
  `AWS_SECRET_ACCESS_KEY="${random(40, letters, 4)}"`,
  `xoxb-123456789012-1234567890123-${random(24, letters, 5)}`,
  `https://hooks.slack.com/services/T00000000/B00000000/${random(24, letters, 6)}`,
  `SG.${random(22, letters, 7)}.${random(43, letters, 8)}`,
  `postgres://app:${random(16, letters, 9)}@db.example:5432/shop`,
  `https://demo:${random(16, letters, 10)}@a.example/`,
  `npm_${random(36, letters, 11)}`,
  `//registry.npmjs.org/:_authToken=${random(36, letters, 12)}`,
  `sk-ant-api03-${random(93, letters, 13)}AA`,
  `sk-${random(20, letters, 14)}T3BlbkFJ${random(20, letters, 15)}`,
  `shpat_${random(32, "0123456789abcdef", 16)}`,
  `lin_api_${random(40, letters, 17)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${random(64, letters, 18)}\n${random(64, letters, 19)}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN OPENSSH PRIVATE KEY-----\n${random(64, letters, 20)}\n-----END OPENSSH PRIVATE KEY-----`,
  ...loadCases("redaction")
    .filter((test: { readonly kind: string }) =>
      ["token-shape", "jwt", "pem", "url", "header-text"].includes(test.kind)
    )
    .map((test: { readonly input: unknown }) => leavesOf(test.input).join("\n"))
]

describe("secretlint's recommended rules", () => {
  it("find secrets in the corpus, and none in what is left of it", { timeout: 60_000 }, async () => {
    const redactor = redactorOf()
    let found = 0
    for (const text of corpus) {
      found += (await findingsIn(`keep-1 ${text}\nkeep-2`)).length
      // In a connection string the oracle takes the mark itself for a password.
      const left = (await findingsIn(redactor.text(`keep-1 ${text}\nkeep-2`, noSources))).filter(
        (finding) => !finding.includes(":<redacted>@")
      )
      assert.deepStrictEqual(left, [], "a rule of the oracle still finds a secret")
    }
    assert.isAbove(found, 20, "the oracle found next to nothing: the comparison says nothing")
  })
})
