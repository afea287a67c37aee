import { assert, describe, it } from "@effect/vitest"
import { redactCheck } from "@gatehouse/host/check/Redact"
import * as Effect from "effect/Effect"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

describe("gatehouse check redact", () => {
  it.effect("answers every case of the shared vectors that can be asked from outside", () =>
    Effect.gen(function* () {
      for (const test of loadCases("redaction")) {
        if (test.input.fault !== undefined) continue
        const output = yield* redactCheck.decide(test.input)
        assert.deepStrictEqual(kinds.redaction.compare(test, output), [], test.id)
      }
    })
  )

  it.effect("takes a team's own names and patterns", () =>
    Effect.gen(function* () {
      const output = yield* redactCheck.decide({
        result: { internalCode: "blue-horse-9", text: "ACME-123456 keep-1" },
        redaction: { field_names: ["internal_code"], patterns: ["ACME-[0-9]{6}"] }
      })
      const text = JSON.stringify(output)
      assert.notInclude(text, "blue-horse-9")
      assert.notInclude(text, "ACME-123456")
      assert.include(text, "keep-1")
    })
  )

  for (const [what, input] of [
    ["a pattern that is none", { redaction: { patterns: ["("] } }],
    ["a pattern that may never end", { redaction: { patterns: ["(a+)+"] } }],
    ["an injected fault", { fault: { stage: "render" } }],
    ["an unknown field", { reslut: 1 }]
  ] as const) {
    it.effect(`refuses ${what} and names the field`, () =>
      Effect.gen(function* () {
        const refused = yield* Effect.flip(redactCheck.decide(input))
        assert.match(refused.message, /redaction\.patterns|fault|reslut/)
      })
    )
  }
})
