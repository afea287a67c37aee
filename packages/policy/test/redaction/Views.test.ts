import { assert, describe, it } from "@effect/vitest"
import { freezeJson } from "@gatehouse/core/Json"
import { viewNames } from "@gatehouse/core/View"
import type { CallToRender, SecretSources } from "@gatehouse/policy/redaction/Redactor"
import { inertJson, visibleText } from "@gatehouse/policy/redaction/TerminalText"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { callWith } from "./call.ts"
import { bound, fakeSecret, noSources, redactorOf } from "./cases.ts"

const secret = fakeSecret(401)

const viewsOf = (call: Partial<CallToRender>, sources: SecretSources = noSources) => {
  const rendered = redactorOf().render(callWith(call), sources)
  assert.isTrue(rendered.ok)
  return rendered.views
}

const failure = {
  tag: "AdapterError",
  stage: "adapter",
  message: `deploy --token ${secret} ended with 1`,
  remedy: "Look at the log.",
  cause: new Error(`with ${secret}`)
}

describe("the model's view", () => {
  it("is the text, and data beside it", () => {
    assert.deepStrictEqual(viewsOf({ text: "42 lines", data: { lines: 42 } }).model, {
      text: "42 lines",
      data: { lines: 42 }
    })
  })

  it("is bounded, after redaction: no limit halves a secret", () => {
    for (let before = 23_970; before < 24_010; before++) {
      const { text } = viewsOf({ text: `${"x".repeat(before)}${secret} tail` }, bound(secret)).model
      assert.isAtMost(text.length, 24_000)
      assert.notInclude(text, secret.slice(0, 6))
    }
  })

  it("keeps escapes as text", () => {
    assert.strictEqual(viewsOf({ text: "\u001b[31mred\u202e" }).model.text, "\u001b[31mred\u202e")
  })

  it("says what failed, what helps and what happened", () => {
    const { text } = viewsOf({ status: "indeterminate", error: failure, text: "partial output" }).model
    for (const part of [
      "indeterminate at adapter",
      "ended with 1",
      "Look at the log.",
      "may have taken place",
      "partial output"
    ]) {
      assert.include(text, part)
    }
    assert.notInclude(text, secret)
  })

  it("follows the output policy", () => {
    const long = "word ".repeat(1_000)
    assert.strictEqual(viewsOf({ text: long, data: { a: 1 }, modelOutputPolicy: "none" }).model.data, undefined)
    assert.notInclude(viewsOf({ text: long, modelOutputPolicy: "none" }).model.text, "word word")
    assert.isAtMost(viewsOf({ text: long, modelOutputPolicy: "summary" }).model.text.length, 1_200)
  })
})

describe("the operator's view", () => {
  it("begins with status, action and target, and shows the operator's own text and data", () => {
    const view = viewsOf({
      text: "for the model",
      operatorText: "@@ -1 +1 @@",
      operatorData: { exit_code: 0 }
    }).operator
    assert.include(view.text, "succeeded: read README.md")
    assert.include(view.text, "@@ -1 +1 @@")
    assert.notInclude(view.text, "for the model")
    assert.deepStrictEqual(view.data, { exit_code: 0 })
  })

  it("lists artifacts with their sizes", () => {
    const artifacts = [{ id: "artifact_1", name: "stdout.txt", bytes: 1_234 }]
    assert.include(viewsOf({ artifacts }).operator.text, "stdout.txt (1234 bytes)")
  })

  it("hides the output where its policy says so, and still says how it ended", () => {
    const view = viewsOf({ text: "body", data: { a: 1 }, displayPolicy: "hidden" }).operator
    assert.include(view.text, "succeeded")
    assert.notInclude(view.text, "body")
    assert.isUndefined(view.data)
  })
})

describe("the event's view", () => {
  it("is small and typed, and holds no output", () => {
    const view = viewsOf({
      text: "body ".repeat(1_000),
      data: { a: "value-1" },
      status: "failed",
      error: failure
    }).event
    assert.isBelow(JSON.stringify(view).length, 1_000)
    assert.notInclude(JSON.stringify(view), "value-1")
    assert.notInclude(JSON.stringify(view), "body")
    assert.deepInclude(view.data, { status: "failed", error: { tag: "AdapterError", stage: "adapter" } })
  })
})

describe("the durable view", () => {
  it("explains a year later", () => {
    const stages = [{ stage: "approval", verdict: "passed", rule: "standing answer 3", micros: 12 }]
    const artifacts = [{ id: "artifact_1", name: "stdout.txt", bytes: 12 }]
    const view = viewsOf({
      arguments: { path: "README.md", token: secret, list: Array.from({ length: 100 }, (_, index) => index) },
      status: "failed",
      error: failure,
      stages,
      artifacts
    }).durable
    assert.deepInclude(view.data, {
      tool: "demo_tool",
      action: "read",
      target: "README.md",
      status: "failed",
      stages,
      artifacts
    })
    const text = JSON.stringify(view)
    for (const part of ["standing answer 3", "<redacted>", "Look at the log.", "80 more"]) assert.include(text, part)
    assert.notInclude(text, secret)
    assert.isBelow(text.length, 8_000)
  })
})

describe("the debug view", () => {
  it("shows shapes, lengths and keyed fingerprints, and no value", () => {
    const view = viewsOf({ arguments: { token: secret, path: "some/path.txt" }, data: { rows: ["value-1"] } }).debug
    const text = JSON.stringify(view)
    for (const value of [secret, "some/path.txt", "value-1"]) assert.notInclude(text, value)
    assert.include(text, "string of 13")
    assert.match(text, /"fingerprint":"[0-9a-f]{16}"/)
  })

  it("fingerprints with the home's key: another home has others", () => {
    const shown = [7, 8].map((fill) => {
      const rendered = redactorOf({ homeKey: new Uint8Array(32).fill(fill) }).render(
        callWith({ arguments: { token: secret } }),
        noSources
      )
      return /"fingerprint":"([0-9a-f]{16})"/.exec(JSON.stringify(rendered.views.debug))?.[1]
    })
    assert.isDefined(shown[0])
    assert.notStrictEqual(shown[0], shown[1])
  })

  it("holds a defect's cause, redacted", () => {
    const text = JSON.stringify(viewsOf({ status: "failed", error: failure }, bound(secret)).debug)
    assert.include(text, "with <redacted>")
    assert.notInclude(text, secret)
  })
})

describe("all views", () => {
  it("hold no secret of arguments, output, error or artifacts", () => {
    const views = viewsOf({
      action: `run ${secret}`,
      target: `https://demo:${secret}@a.example/`,
      arguments: { password: secret },
      text: `got ${secret}`,
      data: { echo: secret },
      operatorText: `+ ${secret}`,
      operatorData: [secret],
      artifacts: [{ name: `${secret}.txt`, bytes: 1 }],
      stages: [{ rule: secret }],
      status: "failed",
      error: failure
    })
    for (const name of viewNames) assert.notInclude(JSON.stringify(views[name]), secret, name)
  })

  it("are the same for frozen and for plain values", () => {
    const data = { a: [1, "two", { three: null }], path: "x" }
    const frozen = Either.getOrThrow(freezeJson(data))
    assert.deepStrictEqual(viewsOf({ data: frozen, arguments: frozen }), viewsOf({ data, arguments: data }))
  })

  it("no text of theirs but the model's acts on a terminal", () => {
    const views = viewsOf({
      action: "\u001b]0;title\u0007",
      target: "\u202egpj.exe",
      text: "\u001b[2J\u009b31m\rover\u0000",
      data: { "\u001b[1m": "\u2066x" },
      artifacts: [{ name: "\u001bc", bytes: 1 }],
      stages: [{ rule: "\u001b[0m" }]
    })
    for (const name of viewNames.filter((view) => view !== "model")) {
      assert.notMatch(views[name].text, acting, name)
      // What programs read is the same value, and is written so that it acts on nothing.
      assert.notMatch(inertJson(views[name]), acting, name)
    }
    assert.deepStrictEqual(views.operator.data, { "\u001b[1m": "\u2066x" })
  })
})

/** Controls but line feed and tab, and what turns the direction of writing. */
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe("JSON that acts on nothing", () => {
  it("is the same value, whatever is in it", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: "binary" }), (value, text) => {
        const written = inertJson([value, text])
        assert.deepStrictEqual(JSON.parse(written), JSON.parse(JSON.stringify([value, text])))
        assert.strictEqual(visibleText(written), written)
      })
    )
    assert.strictEqual(inertJson("\u009b31m\u202e\u{e0041}"), '"\\u009b31m\\u202e\\udb40\\udc41"')
  })
})

describe("visible text", () => {
  it("shows escapes and leaves text as it is", () => {
    assert.strictEqual(visibleText("\u001b[31mred\u001b[0m\r\nnext\tend"), "␛[31mred␛[0m\nnext\tend")
    assert.strictEqual(visibleText("a\u202eb"), "a<U+202E>b")
    assert.strictEqual(visibleText("Grüße 🔑 日本語"), "Grüße 🔑 日本語")
  })

  it("never acts, whatever it is given, and is done once", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const shown = visibleText(text)
        assert.notMatch(shown, acting)
        assert.strictEqual(visibleText(shown), shown)
      })
    )
  })
})

describe("previews", () => {
  const redactor = redactorOf()

  it("hide by name, then cut", () => {
    const preview = redactor.preview({ apiKey: secret, "x-api-key": "ab", note: "n".repeat(900) }, noSources)
    assert.deepStrictEqual(preview, { apiKey: "<redacted>", "x-api-key": "<redacted>", note: `${"n".repeat(499)}…` })
  })

  it("stay within their bounds for any value", () => {
    const bounds = { depth: 4, items: 20, string: 256, total: 2_048 }
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        assert.isAtMost(JSON.stringify(redactor.preview(value, noSources, bounds)).length, bounds.total)
      })
    )
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`name-${index}`, "text ".repeat(100)]))
    assert.isAtMost(JSON.stringify(redactor.preview(wide, noSources, bounds)).length, bounds.total)
  })

  it("never cut a mask into a piece of a secret", () => {
    for (let before = 480; before < 510; before++) {
      const preview = JSON.stringify(redactor.preview({ note: `${"x".repeat(before)}${secret}` }, bound(secret)))
      assert.notInclude(preview, secret.slice(0, 6))
    }
  })
})

describe("a team's own names and patterns", () => {
  const redactor = redactorOf({
    additions: { fieldNames: ["internal_code", "Patient-Name"], patterns: ["ACME-[0-9]{6}"] }
  })

  it("add to what is masked", () => {
    const text = JSON.stringify(
      redactor.redact(
        {
          args: { internalCode: "blue-horse-9", patient_name: "Jo Demo" },
          result: "blue-horse-9 for ACME-123456, keep-1",
          error: null
        },
        noSources
      )
    )
    for (const value of ["blue-horse-9", "Jo Demo", "ACME-123456"]) assert.notInclude(text, value)
    assert.include(text, "keep-1")
  })

  it("take nothing away", () => {
    assert.notInclude(redactor.text(`token=${secret}`, noSources), secret)
  })
})
