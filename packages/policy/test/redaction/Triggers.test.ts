import { assert, describe, it } from "@effect/vitest"
import { secretPairs, sensitivityOf } from "@gatehouse/policy/redaction/FieldNames"
import { longRunShapes } from "@gatehouse/policy/redaction/text/LongRunShapes"
import { holdsLongRunToken, shortestRun } from "@gatehouse/policy/redaction/text/LongRuns"
import { makeSecretText } from "@gatehouse/policy/redaction/text/SecretText"
import { tokenShapes } from "@gatehouse/policy/redaction/text/TokenShapes"
import { literal, makeTriggerScan } from "@gatehouse/policy/redaction/text/TriggerScan"
import * as fc from "fast-check"
import { fakeSecret } from "./cases.ts"

const text = makeSecretText({ fieldNames: [], patterns: [] })
const secret = fakeSecret(8)

/** Pieces of which texts with secrets are made. */
const fragments = [
  ..."password passwd passphrase pass pwd secret token api_key apiKey private-key auth jwt otp creds credentials cookie".split(
    " "
  ),
  ...[...secretPairs].flatMap((pair) => [pair, pair.replace(" ", "_"), pair.replace(" ", "-"), pair.replace(" ", "")]),
  ...'= : => := == " \' \\" \\n \n \t \r\n - -- < > </ | , ; & ? # @ :// / . { } [ ] ( ) $ ${ % %3D %20 ` \\ \u001b[32m é 🔑'.split(
    " "
  ),
  " ",
  " is ",
  "curl -u ",
  "mysql -p",
  "redis-cli -a ",
  "sshpass -p ",
  "docker login -p ",
  "openssl -passin pass:",
  "machine h login u password ",
  "echo ",
  " | sudo -S ",
  " | docker login --password-stdin",
  "aws configure set ",
  "vault login ",
  "ConvertTo-SecureString ",
  "IDENTIFIED BY ",
  "Authorization: ",
  "Bearer ",
  "Basic ",
  "Set-Cookie: ",
  "https://",
  "user:",
  "?code=",
  "&sig=",
  "&key=",
  "name=",
  "value=",
  "-----BEGIN RSA PRIVATE KEY-----",
  "-----END RSA PRIVATE KEY-----",
  "MIIfake0001abcdefghijklmnopqrstuvwxyz",
  secret,
  "a",
  "Zq9",
  ...tokenShapes.flatMap((shape) => shape.matches)
]

const pieces = fc.array(
  fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...fragments) }, fc.string({ maxLength: 4 })),
  {
    minLength: 1,
    maxLength: 12
  }
)

const mayHold = (value: unknown): boolean => text.mayHoldSecret(Buffer.from(JSON.stringify(value), "utf8"))

describe("the quick look never misses what the walk would find", () => {
  it("in texts", () => {
    fc.assert(
      fc.property(pieces, fc.nat(3), (parts, shift) => {
        const content = parts.join("")
        const findings = text.find(content)
        if (findings.length > 0) assert.isTrue(mayHold({ ["k".repeat(shift + 1)]: content }), JSON.stringify(content))
      }),
      { numRuns: 6_000 }
    )
  })

  it("in names of fields", () => {
    const name = fc.array(fc.constantFrom(...fragments.filter((part) => part.length < 20)), {
      minLength: 1,
      maxLength: 3
    })
    fc.assert(
      fc.property(name, fc.nat(3), (parts, shift) => {
        const key = parts.join("")
        if (sensitivityOf(key) === "open") return
        for (const value of [secret, 12345678901, [secret], { a: secret }]) {
          assert.isTrue(mayHold(["x".repeat(shift), { [key]: value }]), JSON.stringify(key))
        }
      }),
      { numRuns: 3_000 }
    )
  })

  it("in names as the words of a list and of a pair", () => {
    for (const name of ["--token", "--password", "X-Api-Key", "Authorization"]) {
      assert.isTrue(mayHold([name, secret]))
      assert.isTrue(mayHold([{ name, value: secret }]))
    }
    assert.isTrue(mayHold(["redis-cli", "-a", secret]))
    assert.isTrue(mayHold(["curl", "-u", `demo:${secret}`]))
  })
})

describe("a token without a telling prefix is found in its run", () => {
  for (const { kind, matches, spares } of longRunShapes) {
    it(kind, () => {
      for (const token of matches) {
        assert.isAtLeast(token.length, shortestRun)
        for (let shift = 0; shift <= shortestRun; shift++) {
          assert.isTrue(holdsLongRunToken(Buffer.from(JSON.stringify([" ".repeat(shift), `x\n${token}`]))), `${shift}`)
          assert.isTrue(holdsLongRunToken(Buffer.from(`${" ".repeat(shift)}${token}`)), `${shift}, bare`)
        }
      }
      for (const text of spares) assert.isFalse(holdsLongRunToken(Buffer.from(JSON.stringify([text, text]))), text)
    })
  }
})

describe("the quick look leaves alone", () => {
  it("ordinary results", () => {
    const rows = Array.from({ length: 200 }, (_, index) => ({
      id: index,
      name: `item number ${index}`,
      path: `packages/core/src/File${index}.ts`,
      author: "Ada Demo",
      sha: "3f2a9c1e8b7d6f5a4c3b2a1908f7e6d5c4b3a291",
      url: `https://host.example/items/${index}?page=2`,
      description: "Some words about the item, which mean nothing, and a mail to a@b.example"
    }))
    assert.isFalse(mayHold(rows))
  })
})

describe("a scan", () => {
  it("finds a piece at every place, in any letter case, at both ends", () => {
    const scan = makeTriggerScan([{ pieces: [literal("token"), literal("secret")] }])
    for (let before = 0; before < 40; before++) {
      for (const piece of ["token", "Token", "TOKEN", "seCRet"]) {
        assert.isTrue(scan.occurs(Buffer.from("x".repeat(before) + piece)), `${before} ${piece}`)
        assert.isTrue(scan.occurs(Buffer.from(`${"x".repeat(before)}${piece}${"y".repeat(37)}`)), `${before} ${piece}`)
      }
      assert.isFalse(scan.occurs(Buffer.from(`${"x".repeat(before)}toke secre`)))
    }
  })

  it("takes a place that several characters may fill", () => {
    const scan = makeTriggerScan([{ pieces: [["ab", ..."key", ":="]] }])
    assert.isTrue(scan.occurs(Buffer.from("...bkey=...")))
    assert.isFalse(scan.occurs(Buffer.from("...ckey=...")))
  })
})
