import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { bound, fakeSecret, leavesOf, redactorOf, shown, shownText } from "./cases.ts"

const secret = fakeSecret(77)
const awkward = `${secret}/p@s "s\\w%rd'é&`

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64")
const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex")
const json = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Spellings of a secret that a text may hold. */
const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "JSON escaped": json,
  "JSON in JSON": (text) => json(json(text)),
  "JSON in ASCII": (text) =>
    json(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  "percent encoded": encodeURIComponent,
  "percent encoded, small": (text) => encodeURIComponent(text).replace(/%../g, (escape) => escape.toLowerCase()),
  "percent encoded twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "percent encoded in part": (text) => text.replace("@", "%40").replace("-", "%2D"),
  "a form's": (text) => new URLSearchParams({ k: text }).toString().slice(2),
  base64,
  "base64 behind one byte": (text) => base64(`a${text}`),
  "base64 behind two bytes": (text) => base64(`ab${text}xyz`),
  "base64 behind a name": (text) => base64(`user:${text}`),
  base64url: (text) => Buffer.from(text, "utf8").toString("base64url"),
  "base64url behind two bytes": (text) => Buffer.from(`ab${text}`, "utf8").toString("base64url"),
  hexadecimal: hex,
  "capital hexadecimal": (text) => hex(text).toUpperCase(),
  "HTML escaped": (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  "broken over lines": (text) => `${text.slice(0, 9)}\n${text.slice(9)}`,
  "broken over indented lines": (text) => `${text.slice(0, 9)}\r\n    ${text.slice(9)}`,
  "broken by a continuation": (text) => `${text.slice(0, 9)}\\\n${text.slice(9)}`,
  "coloured in the middle": (text) => `${text.slice(0, 5)}\u001b[31m${text.slice(5, 9)}\u001b[0m${text.slice(9)}`,
  "with a zero width space": (text) => `${text.slice(0, 5)}\u200b${text.slice(5)}`,
  "base64 over lines": (text) => base64(text).replace(/.{12}/g, "$&\n")
}

describe("a bound secret is masked in every spelling", () => {
  for (const [name, spell] of Object.entries(spellings)) {
    it(name, () => {
      for (const value of [secret, awkward]) {
        const text = shownText(`keep-1 ${spell(value)} keep-2`, bound(value))
        assert.notInclude(text, spell(value))
        assert.notInclude(text, json(spell(value)))
        assert.notInclude(text, value)
        assert.include(text, "keep-1")
        assert.include(text, "keep-2")
      }
    })

    it(`${name}, the secret being known by its field's name`, () => {
      const text = shown({ args: { password: awkward }, result: { text: `keep-1 ${spell(awkward)} keep-2` } })
      assert.notInclude(text, json(spell(awkward)))
      assert.include(text, "keep-1")
      assert.include(text, "keep-2")
    })
  }
})

describe("what belongs to a secret", () => {
  it("each long line of a secret of several lines", () => {
    const text = shownText(
      "keep a-long-line-12 and b-long-line-34 but } and ]",
      bound("{\n  a-long-line-12\n  b-long-line-34\n}")
    )
    assert.notInclude(text, "a-long-line-12")
    assert.notInclude(text, "b-long-line-34")
    assert.include(text, "but } and ]")
  })

  it("the secret fields of a secret that is a JSON document, and no brace", () => {
    const document = JSON.stringify({ user: "demo", nested: { private_key: secret } }, null, 2)
    const text = shownText(`login {demo} with ${secret} keep`, bound(document))
    assert.notInclude(text, secret)
    assert.include(text, "login {demo} with")
  })

  it("the credentials of a header value, and the password in Basic ones", () => {
    const headers = { Authorization: `Basic ${base64(`demo:${secret}`)}`, Cookie: `sid=${secret}x; theme=dark` }
    const text = shownText(`echo ${secret} and ${secret}x keep`, { bindings: new Map(), environment: {}, headers })
    assert.notInclude(text, secret)
    assert.include(text, "keep")
  })

  it("no current folder of a shell, whose variable is called like a password", () => {
    const sources = { bindings: new Map(), headers: {} }
    const shown = shownText("/work/shop/notes.txt", { ...sources, environment: { PWD: "/work/shop" } })
    assert.include(shown, "/work/shop/notes.txt")
    const hidden = shownText(`with ${secret}`, { ...sources, environment: { PWD: secret, DB_PWD: `/${secret}` } })
    assert.notInclude(hidden, secret)
  })

  it("the password of a URL in the environment, whatever the variable is called", () => {
    const environment = { DATABASE_URL: `postgres://app:${secret}@db.example/shop`, PATH: "/usr/bin" }
    const text = shownText(`cannot log in with ${secret} at db.example, PATH is /usr/bin`, {
      bindings: new Map(),
      environment,
      headers: {}
    })
    assert.notInclude(text, secret)
    assert.include(text, "db.example, PATH is /usr/bin")
  })

  it("is masked for the host's own environment in every call", () => {
    const redactor = redactorOf({ hostEnvironment: { DEPLOY_TOKEN: secret } })
    assert.notInclude(redactor.text(`x ${secret} y`, bound()), secret)
  })
})

describe("shapes of payloads", () => {
  const hidden: ReadonlyArray<readonly [string, unknown]> = [
    ["pairs of name and value", { env: [{ name: "API_TOKEN", value: secret }] }],
    ["pairs of key and value", { headers: [{ key: "Authorization", value: `Bearer ${secret}` }] }],
    ["tuples", { headers: [["authorization", `Bearer ${secret}`]] }],
    ["raw headers", { rawHeaders: ["Host", "a.example", "X-Api-Key", secret] }],
    ["words of a command line", { argv: ["deploy", "--token", secret, "--region", "eu"] }],
    ["words with an assignment", { argv: ["deploy", `--token=${secret}`] }],
    ["a header among words", { argv: ["curl", "-H", `X-Api-Key: ${secret}`] }],
    ["an option that only its program explains", { argv: ["redis-cli", "-a", secret, "ping"] }],
    ["a user with a secret among words", { argv: ["curl", "-u", `demo:${secret}`, "https://a.example/"] }],
    ["a secret object", { credentials: { type: "basic", inner: { value: secret } } }],
    ["a list in a secret field", { token: [secret] }],
    ["a name that is a secret", { password: { [secret]: "x" } }],
    ["JSON in a text", { body: JSON.stringify({ a: { password: { b: secret } } }) }],
    ["JSON in JSON in a text", { body: JSON.stringify({ inner: JSON.stringify({ password: secret }) }) }],
    [
      "an error with causes",
      { error: new Error("outer", { cause: new AggregateError([new Error(`token=${secret}`)], "x") }) }
    ],
    ["a map", new Map([["password", secret]])],
    ["a map with objects as names", new Map([[{ password: secret }, 1]])],
    ["a set", { seen: new Set([`token=${secret}`]) }],
    ["bytes", { data: Buffer.from(`password=${secret}`) }],
    ["a boxed text", { password: Object(secret) }],
    ["a name in full width letters", { ｐａｓｓｗｏｒｄ: secret }],
    ["a block of bytes", { type: "image", mimeType: "image/png", data: base64(`\u0001\u0002 token=${secret}`) }]
  ]
  for (const [name, value] of hidden) {
    it(`${name}: hidden there and elsewhere`, () => {
      const text = shown({ args: value, result: { echo: `got ${secret} back`, keep: "keep-1" } })
      assert.notInclude(text, secret)
      assert.include(text, "keep-1")
    })
  }

  it("a short value is hidden in its own place and nowhere else", () => {
    const text = shown({
      args: { password: "db", argv: ["x", "--token", "ab"] },
      result: { text: "debug dbname drab" }
    })
    assert.include(text, '"password":"<redacted>"')
    assert.include(text, '"--token","<redacted>"')
    assert.include(text, "debug dbname drab")
  })

  it("names that become one mark keep their values", () => {
    const payload = { [`a-${fakeSecret(1)}`]: "one", [`b-${fakeSecret(2)}`]: "two" }
    const text = shown({ result: payload }, bound(...Object.keys(payload)))
    assert.include(text, "one")
    assert.include(text, "two")
  })

  it("the input is not changed", () => {
    const input = { args: { password: secret, list: [`token=${secret}`] }, result: null, error: null }
    const before = structuredClone(input)
    redactorOf().redact(input, bound(secret))
    assert.deepStrictEqual(input, before)
  })

  it("what holds nothing secret comes back as it was", () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)))
    fc.assert(
      fc.property(json, (value) => {
        const redacted = redactorOf().redact({ args: value, result: null, error: null }, bound())
        const names = leavesOf(value).join(" ")
        if (!/pass|secret|token|key|auth|cookie|cred|[=:@]/i.test(names)) assert.deepStrictEqual(redacted?.args, value)
      })
    )
  })
})

describe("a secret that looks like our own words", () => {
  for (const value of ["<redacted>", "redacted", "redacted-fake77", "withheld", "password", "arguments"]) {
    it(JSON.stringify(value), () => {
      assert.notInclude(shownText(`keep-1 ${value} and ${value} keep-2`, bound(value)), value)
    })
  }
})

describe("any secret, anywhere in any text, in any spelling", () => {
  it("does not come out", () => {
    const secrets = fc
      .string({ unit: "grapheme", minLength: 8, maxLength: 40 })
      .filter((text) => !/[\s\ud800-\udfff]/.test(text))
    fc.assert(
      fc.property(
        secrets,
        fc.string(),
        fc.string(),
        fc.constantFrom(...Object.keys(spellings)),
        (value, before, after, name) => {
          const spelled = spellings[name]?.(value) ?? value
          const redacted = redactorOf().text(`${before} ${spelled} ${after}`, bound(value))
          assert.notInclude(redacted, value)
          assert.notInclude(redacted, spelled)
        }
      ),
      { numRuns: 400 }
    )
  })
})
