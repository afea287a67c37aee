import { assert, describe, it } from "@effect/vitest"
import type { SecretSources } from "@gatehouse/policy/redaction/Redactor"
import { longestLine } from "@gatehouse/policy/redaction/TextStream"
import * as fc from "fast-check"
import { bound, fakeSecret, noSources, redactorOf } from "./cases.ts"

const secret = fakeSecret(801)
const token = ["gh", "p_", "FAKE", "abcdefghijklmnopqrstuvwxyz012345"].join("")
const redactor = redactorOf()

const streamed = (chunks: ReadonlyArray<string | Uint8Array>, sources: SecretSources = noSources): string => {
  const mask = redactor.textMask(sources)
  return Buffer.concat([...chunks.map((chunk) => mask.push(Buffer.from(chunk))), mask.end()]).toString("utf8")
}

const cutInto = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const bytes = Buffer.from(text)
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((left, right) => left - right)
  return [...places, bytes.length].map((end, index) => bytes.subarray(index === 0 ? 0 : places[index - 1], end))
}

describe("text that flows", () => {
  it("is passed on line by line, and unchanged where there is nothing to hide", () => {
    const mask = redactor.textMask(noSources)
    const out = ["one\ntw", "o\r50%", "\r100%\n", "rest"].map((chunk) =>
      Buffer.from(mask.push(Buffer.from(chunk))).toString()
    )
    assert.deepStrictEqual([...out, Buffer.from(mask.end()).toString()], ["one\n", "two\r", "50%\r100%\n", "", "rest"])
  })

  it("leaves bytes that are no text as they are", () => {
    const bytes = Buffer.from([0xff, 0x00, 0xc3, 0x28, 0x0a, 0x80])
    const mask = redactor.textMask(noSources)
    assert.deepStrictEqual(Buffer.concat([mask.push(bytes), mask.end()]), bytes)
    const around = Buffer.concat([bytes, Buffer.from(`\ntoken=${secret}\n`), bytes])
    const masked = Buffer.concat([mask.push(around), mask.end()])
    assert.isFalse(masked.includes(secret))
    assert.deepStrictEqual(masked.subarray(0, bytes.length), bytes)
    assert.deepStrictEqual(masked.subarray(-bytes.length), bytes)
  })

  const texts: Readonly<Record<string, string>> = {
    "a token shape": `found ${token} here\n`,
    "an assignment": `one\nexport API_KEY=${secret}\ntwo\n`,
    "a block below its name": `password: |\n  ${secret}\nmore\n`,
    "a value that was told before": `token=${secret}\nsome lines\nand again ${secret}.\n`,
    "a document on a line": `{"credentials": {"user": "ann", "pass": "${secret}"}}\n`,
    "a header": `> Authorization: Bearer ${secret}\n< 200\n`,
    "an address": `cloning https://ann:${secret}@example.invalid/repository.git\n`,
    "no end of line": `API_KEY=${secret}`
  }
  for (const [what, text] of Object.entries(texts)) {
    it(`hides ${what}, however it is cut`, () => {
      const value = text.includes(token) ? token : secret
      fc.assert(
        fc.property(fc.array(fc.nat(200), { maxLength: 6 }), (cuts) => {
          assert.notInclude(streamed(cutInto(text, cuts)), value)
        }),
        { numRuns: 100 }
      )
    })
  }

  it("hides what is known of the call, in every spelling, and names what is bound", () => {
    assert.strictEqual(streamed([`got ${secret}\n`], bound(secret)), "got <redacted:S0>\n")
    const sources = { ...noSources, arguments: { env: { DEPLOY_TOKEN: secret } } }
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString("base64").replace(/=+$/, "")
    ]) {
      assert.notInclude(streamed(["got ", form.slice(0, 5), form.slice(5), "\n"], sources), form)
    }
  })

  it("hides a long key that comes line by line", () => {
    const body = Array.from({ length: 200 }, (_, line) => Buffer.alloc(48, line + 1).toString("base64"))
    const lines = ["before", "-----BEGIN PRIVATE KEY-----", ...body, "-----END PRIVATE KEY-----", "after"]
    const out = streamed(lines.map((line) => `${line}\n`))
    for (const line of body) assert.notInclude(out, line)
    assert.isTrue(out.startsWith("before\n") && out.endsWith("after\n"))
  })

  it("goes on after a key that has no end", () => {
    const out = streamed([
      "-----BEGIN PRIVATE KEY-----\n",
      "MIIEvQIBADANBg\n",
      "Done, 3 files (see below).\n",
      "more text\n"
    ])
    assert.include(out, "(see below).\nmore text\n")
  })

  it("waits for a line within bounds, and cuts a longer one between words", () => {
    const words = `${"word ".repeat(longestLine / 5)}${token} ${"word ".repeat(longestLine / 5)}`
    for (const size of [1_000, 4_099, 65_536]) {
      const chunks = Array.from({ length: Math.ceil(words.length / size) }, (_, index) =>
        words.slice(index * size, (index + 1) * size)
      )
      const out = streamed(chunks)
      assert.notInclude(out, token)
      assert.strictEqual(out, words.replace(token, "<redacted>"))
    }
    const mask = redactor.textMask(noSources)
    assert.isAbove(mask.push(Buffer.alloc(longestLine * 2, "x")).length, longestLine)
  })

  it("gives nothing any more once it failed, and says nothing of the text", () => {
    const mask = redactorOf({ faults: { stage: "stream" } }).textMask(bound(secret))
    for (const use of [() => mask.push(Buffer.from(`${secret}\n`)), () => mask.push(Buffer.from("more\n")), mask.end]) {
      assert.throws(use, /^the stream could not be masked$/)
    }
  })
})

describe("the mark of a bound value", () => {
  const names = new Map([
    ["FIRST", secret],
    ["LONGER", `${secret}-and-more`]
  ])
  const masked = (...chunks: ReadonlyArray<string>): string => {
    const mask = redactor.streamMask(names)
    return Buffer.concat([...chunks.map((chunk) => mask.push(Buffer.from(chunk))), mask.end()]).toString()
  }
  it("is its name where it stands as it is", () => {
    assert.strictEqual(masked("got ", secret.slice(0, 4), secret.slice(4), "."), "got <redacted:FIRST>.")
    assert.strictEqual(masked(`got ${secret}-and-more.`), "got <redacted:LONGER>.")
  })
  it("is no name where it is spelt in another way", () => {
    assert.strictEqual(masked(`got ${Buffer.from(secret).toString("hex")}.`), "got <redacted>.")
  })
  it("is no name that would show a secret", () => {
    const mask = redactor.streamMask(new Map([[`X_${secret}`, secret]]))
    assert.strictEqual(Buffer.concat([mask.push(Buffer.from(secret)), mask.end()]).toString(), "<redacted>")
  })
})

describe("what arguments tell", () => {
  const sources = { ...noSources, arguments: { env: { DEPLOY_TOKEN: secret }, command: `deploy ${secret}` } }
  it("is hidden in every text about the call", () => {
    assert.strictEqual(redactor.text(`deploy ${secret}`, sources), "deploy <redacted>")
    assert.notInclude(JSON.stringify(redactor.preview({ command: `deploy ${secret}` }, sources)), secret)
  })
})

describe("names of variables and fields of bindings are no secrets", () => {
  const args = {
    command: "echo $SERVICE_TOKEN",
    secret_bindings: [{ source: "env:SERVICE_TOKEN", target: "SERVICE_TOKEN", expires_in_seconds: 10 }]
  }
  it("and stay where they stand", () => {
    const sources = { ...noSources, arguments: args }
    assert.strictEqual(redactor.text(args.command, sources), args.command)
    assert.strictEqual(redactor.text("expires_in_seconds: is 0", sources), "expires_in_seconds: is 0")
    assert.strictEqual(
      streamed(["got ", secret, "\n"], { ...sources, bindings: new Map([["SERVICE_TOKEN", secret]]) }),
      "got <redacted:SERVICE_TOKEN>\n"
    )
  })
  it("while what stands in their place is one", () => {
    const sources = { ...noSources, arguments: { secret_bindings: { [`key-${secret}`]: "AKIA2OGYBAH6QHDEXMPL" } } }
    assert.notInclude(redactor.text(`key-${secret} and AKIA2OGYBAH6QHDEXMPL`, sources), secret)
    assert.notInclude(redactor.text("AKIA2OGYBAH6QHDEXMPL", sources), "AKIA")
  })
})
