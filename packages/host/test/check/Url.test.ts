import { assert, describe, it } from "@effect/vitest"
import { urlCheck } from "@gatehouse/host/check/Url"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

describe("check url", () => {
  for (const test of loadCases("url-policy")) {
    it.effect(`${test.id} ${test.kind}`, () =>
      Effect.gen(function* () {
        const output = yield* urlCheck.decide(test.input)
        assert.deepStrictEqual(kinds["url-policy"].compare(test, output), [])
      })
    )
  }

  const decide = (input: unknown) => Effect.map(urlCheck.decide(input), (output) => JSON.parse(JSON.stringify(output)))
  const dns = { "a.example": ["93.184.216.34"], "b.example": ["8.8.8.8"] }

  it.effect("explains every hop", () =>
    Effect.gen(function* () {
      const output = yield* decide({
        url: "https://a.example/",
        dns,
        redirects: [{ status: 302, location: "//127.1/" }]
      })
      assert.deepStrictEqual(
        output.steps.map(({ decision, hop, origin, reason }: Record<string, unknown>) => [
          hop,
          decision,
          reason,
          origin
        ]),
        [
          [0, "allow", null, "https://a.example"],
          [1, "deny", "literal-address", "https://127.0.0.1"]
        ]
      )
    })
  )

  it.effect("names an egress rule with its place", () =>
    Effect.gen(function* () {
      const egress = [{ origin: "agent.yaml:9 network", allow: ["*.b.example"], deny: [] }]
      const output = yield* decide({ url: "https://a.example/", dns, egress })
      assert.strictEqual(output.reason, "egress-rule")
      assert.include(output.rule, "agent.yaml:9 network")
      assert.strictEqual(output.lookups, 0)
    })
  )

  it.effect("uses an answer again for five seconds and no longer", () =>
    Effect.gen(function* () {
      const flip = { "flip.example": { sequence: [["93.184.216.34"], ["10.0.0.7"]] } }
      const within = yield* decide({ url: "https://flip.example/", dns: flip, repeat_after_ms: 4999 })
      const after = yield* decide({ url: "https://flip.example/", dns: flip, repeat_after_ms: 5000 })
      assert.deepStrictEqual([within.decision, within.lookups], ["allow", 1])
      assert.deepStrictEqual([after.decision, after.reason, after.on_request], ["deny", "unsafe-answer", 2])
    })
  )

  it.live("asks the system only where it is told to", () =>
    Effect.gen(function* () {
      const url = "http://localhost/"
      const told = yield* decide({ url, policy: "private-allowed", resolve: true })
      assert.strictEqual(told.decision, "allow")
      assert.include(["127.0.0.1", "::1"], told.pinned_address)
      const untold = yield* decide({ url, policy: "private-allowed" })
      assert.deepStrictEqual([untold.decision, untold.reason], ["deny", "dns-failure"])
    })
  )

  it.effect("refuses a misspelt question and does not repeat its values", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(urlCheck.decide({ url: "https://a.example/hunter2", polcy: "private-allowed" }))
      assert.isTrue(Exit.isFailure(exit))
      assert.notInclude(JSON.stringify(exit), "hunter2")
    })
  )
})
