import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { cpuMillis } from "@gatehouse/policy/redaction/CpuTime.boundary"
import { bound, fakeSecret, redactorOf } from "./cases.ts"

const megabyte = 1_000_000
const filled = (piece: string): string => piece.repeat(Math.ceil(megabyte / piece.length)).slice(0, megabyte)

/** Texts that are meant to be slow for one rule or another. */
const adversarial: ReadonlyArray<string> = [
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\n",
  "-----END PRIVATE KEY-----",
  "-----",
  "-----BEGIN RSA PRIVATE KEY-----\nMIIfake0001abcdefghijklmnopqrstuvwxyz",
  "MIIfake0001abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH",
  "a",
  "A",
  "0",
  "_",
  "-",
  "=",
  "eyJ",
  "eyJhbGciOiJI.",
  "eyJ.",
  "ghp_",
  "ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.",
  "sk-",
  "sk-a",
  "xoxb-1",
  "AKIA",
  "hvs.",
  "SG.aaaaaaaaaaaaaaaaaaaaaa.",
  "LS0tLS1CRUdJTi",
  "token",
  "token=",
  "token: ",
  "token \\",
  'token="',
  "token='\\",
  "password ",
  "password is ",
  "password:\n",
  "password: |\n  ",
  '"password":',
  "<password>",
  "<password ",
  "--token ",
  "authorization: ",
  "Authorization: Basic ",
  "cookie: a=",
  "Bearer ",
  "https://",
  "https://a:",
  "https://a:b@",
  "https://a:b",
  "://@",
  "?token=",
  "&a=",
  "curl -u ",
  "curl ",
  'curl "',
  "mysql -p",
  "machine a login b ",
  "echo a | ",
  "set token ",
  "vault login -a ",
  "%74%6f%6b%65%6e%3d",
  "%",
  "\\",
  "\\u0074",
  "\\\\n",
  "\n",
  "a,token\n",
  "token,a\n1,2\n",
  " ",
  "\u001b[31m",
  "\u001b[",
  "\u200b",
  "[",
  "{",
  '{"password":',
  "\ud83d\ude00",
  "Private-Lines: 1\n"
]

describe("a megabyte of anything stays within its time", () => {
  const redactor = redactorOf({}, cpuMillis)
  for (const piece of adversarial) {
    it(JSON.stringify(piece), async () => {
      // The runner is asked for a sign of life now and then.
      await setImmediate()
      const sources = bound(fakeSecret(3), "line one of it\nline two of it")
      const isInTime = (): boolean => redactor.text(filled(piece), sources) !== "<redaction-failed>"
      // The first try also pays for compiling what it runs.
      assert.isTrue(isInTime() || isInTime())
    })
  }

  it("a hundred megabytes of plain text", () => {
    const text = "plain words and nothing else, ".repeat(3_400_000)
    const redacted = redactor.text(text, bound(fakeSecret(4)))
    assert.strictEqual(redacted.length, text.length)
  })
})
