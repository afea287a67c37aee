import { assert, describe, it } from "@effect/vitest"
import { redactionFailedText, viewNames } from "@gatehouse/core/View"
import { cpuMillis } from "@gatehouse/policy/redaction/CpuTime.boundary"
import type { Rendered } from "@gatehouse/policy/redaction/Redactor"
import type { FaultStage } from "@gatehouse/policy/redaction/RedactorLive"
import { callWith } from "./call.ts"
import { bound, fakeSecret, noSources, redactorOf, shown } from "./cases.ts"

const secret = fakeSecret(501)

const assertFailed = (rendered: Rendered): void => {
  assert.isFalse(rendered.ok)
  for (const name of viewNames) assert.deepStrictEqual(rendered.views[name], { text: redactionFailedText })
}

describe("a failure anywhere makes all five views the one fixed text", () => {
  const steps: ReadonlyArray<FaultStage> = [
    "copy",
    "serialize",
    "collect",
    "mask",
    "render",
    ...viewNames.map((name): FaultStage => `render:${name}`)
  ]
  for (const stage of steps) {
    it(stage, () => {
      const redactor = redactorOf({ faults: { stage } })
      assertFailed(redactor.render(callWith({ arguments: { token: secret }, text: `got ${secret}` }), noSources))
    })
  }

  for (const stage of steps.filter((step) => !step.startsWith("render"))) {
    it(`${stage}, where a payload, a preview or a line of text is asked for`, () => {
      const redactor = redactorOf({ faults: { stage } })
      assert.isNull(redactor.redact({ args: { token: secret }, result: null, error: null }, noSources))
      assert.strictEqual(redactor.preview({ token: secret }, noSources), redactionFailedText)
      assert.strictEqual(redactor.text(`token=${secret}`, noSources), redactionFailedText)
    })
  }

  it("an error whose own text holds the secret", () => {
    const redactor = redactorOf({}, () => {
      throw new Error(secret)
    })
    assertFailed(redactor.render(callWith({ text: secret }), noSources))
  })

  it("time that runs out, and only then", () => {
    let time = 0
    const slow = redactorOf({}, () => (time += 60))
    assertFailed(slow.render(callWith({ text: `token=${secret}` }), noSources))
    assert.isTrue(redactorOf({}, () => 0).render(callWith({ text: `token=${secret}` }), noSources).ok)
  })

  it("a budget that a host sets", () => {
    let time = 0
    const redactor = redactorOf({ limits: { millisPerMegabyte: 100_000 } }, () => (time += 60))
    assert.isTrue(redactor.render(callWith({ text: `token=${secret}` }), noSources).ok)
  })
})

describe("hostile values are handled, or fail closed", () => {
  const cyclic: Record<string, unknown> = { token: secret, note: `got ${secret}` }
  cyclic["self"] = { again: cyclic }
  const deep = (depth: number): unknown => {
    let value: unknown = { password: secret }
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { child: value } : [value]
    return value
  }
  const throwing = {
    note: `token=${secret}`,
    get bomb(): string {
      throw new Error(secret)
    }
  }
  let reads = 0
  const lying = {
    note: "plain",
    get changing(): string {
      reads += 1
      return reads === 1 ? "plain" : secret
    },
    toJSON: () => ({ note: secret })
  }
  const proxy = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error(secret)
      }
    }
  )
  const revoked = Proxy.revocable({}, {})
  revoked.revoke()
  const prototyped: unknown = JSON.parse(`{"__proto__": {"password": "${secret}"}, "x": "got ${secret}"}`)
  const values: Readonly<Record<string, unknown>> = {
    "a cycle": cyclic,
    "depth of ten thousand": deep(10_000),
    "a getter that throws": throwing,
    "a getter that changes, and a toJSON that lies": lying,
    "a proxy that throws": proxy,
    "a revoked proxy": revoked.proxy,
    "a name __proto__": prototyped,
    "a large integer": {
      password: 123456789012345678901234567890n,
      again: 123456789012345678901234567890n,
      note: secret
    },
    symbols: { [Symbol(secret)]: secret, shown: Symbol("x"), note: `token=${secret}` },
    functions: { run: () => secret, note: `token=${secret}` },
    "typed arrays": { bytes: new Uint8Array(Buffer.from(`token=${secret}`)), view: new DataView(new ArrayBuffer(4)) },
    dates: { at: new Date(0), broken: new Date(Number.NaN), token: secret },
    "a pattern": { pattern: new RegExp(`token=${secret}`) },
    "lone surrogates": { note: `\ud800 token=${secret} \udc00` },
    "a class": new (class Account {
      readonly password = secret
    })(),
    "a list with holes": Object.assign([], { 3: `token=${secret}` }),
    undefined: { a: undefined, note: `token=${secret}` }
  }
  for (const [name, value] of Object.entries(values)) {
    it(name, () => {
      for (const place of ["args", "result", "error"]) {
        assert.notInclude(shown({ [place]: value }, bound(secret)), secret)
      }
      const rendered = redactorOf().render(callWith({ arguments: value, data: value }), bound(secret))
      assert.notInclude(JSON.stringify(rendered), secret)
    })
  }

  it("neither calls a getter nor asks toJSON", () => {
    assert.strictEqual(reads, 0)
  })

  it("a hundred thousand names", () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`name-${index}`, `value ${index}`]))
    const text = shown({ args: { password: secret }, result: { ...many, last: `got ${secret}` } })
    assert.notInclude(text, secret)
    assert.include(text, "name-99999")
  })

  it("a hundred thousand names that are secrets: in time, or not at all", () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`token=${secret}${index}`, index]))
    const redactor = redactorOf({}, cpuMillis)
    const redacted = redactor.redact({ args: null, result: many, error: null }, bound(secret))
    assert.notInclude(JSON.stringify(redacted), secret)
  })

  it("odd secrets", () => {
    const odd = [
      "",
      "a",
      ".*+?^${}()|[]\\",
      "prefix-12",
      "prefix-1234",
      "line\nbreak-12",
      "\ud800\ud801\ud802\ud803abcd"
    ]
    const text = shown({ result: { text: `keep ${odd.join(" | ")} keep` } }, bound(...odd))
    for (const value of odd.filter((part) => part.length >= 8))
      assert.notInclude(text, JSON.stringify(value).slice(1, -1))
    assert.include(text, "keep")
  })
})
