import { assert, describe, it } from "@effect/vitest"
import { EgressRules, judgeEgress } from "@gatehouse/policy/urls/EgressRules"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"

const rules = (
  allow: ReadonlyArray<string> | null,
  deny: ReadonlyArray<string> = [],
  origin = "host settings"
): EgressRules => ({
  origin,
  allow,
  deny
})
const allowed = (host: string, port: number, ...sets: ReadonlyArray<EgressRules>): boolean =>
  judgeEgress(host, port, sets).allowed

describe("egress rules", () => {
  it("match host, subdomain, address and port", () => {
    const cases: ReadonlyArray<readonly [string, string, number, boolean]> = [
      ["example.com", "example.com", 443, true],
      ["example.com", "a.example.com", 443, false],
      ["EXAMPLE.com.", "example.com", 443, true],
      ["bücher.example", "xn--bcher-kva.example", 443, true],
      ["*.example.com", "a.b.example.com", 443, true],
      ["*.example.com", "example.com", 443, false],
      ["*.example.com", "notexample.com", 443, false],
      ["example.com:8443", "example.com", 8443, true],
      ["example.com:8443", "example.com", 443, false],
      ["*.example.com:8443", "a.example.com", 8443, true],
      ["8.8.8.8", "8.8.8.8", 80, true],
      ["[2606:4700::1111]", "2606:4700::1111", 80, true],
      ["[2606:4700:0::1111]:443", "2606:4700::1111", 443, true]
    ]
    for (const [pattern, host, port, match] of cases) {
      assert.strictEqual(allowed(host, port, rules([pattern])), match, `allow ${pattern} ${host}:${port}`)
      assert.strictEqual(allowed(host, port, rules(null, [pattern])), !match, `deny ${pattern} ${host}:${port}`)
    }
  })

  it("name the rule and its place", () => {
    assert.strictEqual(
      judgeEgress("a.example", 80, [rules(null, ["a.example"], "agent.yaml:9")]).rule,
      "agent.yaml:9: deny a.example"
    )
    assert.strictEqual(
      judgeEgress("b.example", 80, [rules(["a.example"])]).rule,
      "host settings: not in its allow list"
    )
  })

  it("a further set only takes away", () => {
    const pattern = fc.constantFrom("a.example", "*.a.example", "b.example", "b.example:80", "8.8.8.8")
    const set = fc.record({
      origin: fc.constant("x"),
      allow: fc.option(fc.array(pattern, { maxLength: 3 })),
      deny: fc.array(pattern, { maxLength: 3 })
    })
    const host = fc.constantFrom("a.example", "x.a.example", "b.example", "8.8.8.8")
    fc.assert(
      fc.property(fc.array(set, { maxLength: 3 }), set, host, fc.constantFrom(80, 443), (sets, more, name, port) => {
        if (!allowed(name, port, ...sets)) assert.isFalse(allowed(name, port, ...sets, more))
      })
    )
  })

  it("patterns that are none are refused when read, and close their set when they are not read", () => {
    for (const pattern of [
      "",
      "*",
      "https://a.example",
      "a.example/x",
      "a b",
      "user@a.example",
      "*.8.8.8.8",
      "a.*.example",
      "a.example:0",
      "a.example:99999",
      "2606:4700::1111"
    ]) {
      assert.isTrue(Either.isLeft(Schema.decodeUnknownEither(EgressRules)(rules([pattern]))), pattern)
      assert.isFalse(allowed("a.example", 80, rules(null, [pattern])), pattern)
    }
  })
})
