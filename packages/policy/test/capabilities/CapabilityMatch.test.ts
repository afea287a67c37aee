import { assert, describe, it } from "@effect/vitest"
import { type CapabilityLookup, matchCapability } from "@gatehouse/policy/capabilities/CapabilityMatch"
import { isCapabilityName } from "@gatehouse/policy/capabilities/CapabilityName"
import { makeCapabilitySnapshot } from "@gatehouse/policy/capabilities/CapabilitySnapshots"
import { compileGrants } from "@gatehouse/policy/capabilities/CompiledGrants"
import * as fc from "fast-check"

const lookups: ReadonlyArray<CapabilityLookup> = ["default", "gate", "inside", "exact-default"]
const part = fc.stringMatching(/^[a-z][a-z0-9_-]{0,5}$/)
const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(":"))
const anything = fc.oneof(
  name,
  fc.string({ unit: "binary" }),
  fc.constantFrom("*", ":*", "secret.bind:*", "a:*", "", ":")
)
const note = "agent/tools/note"

describe("capability names", () => {
  it("refuses empty parts, blanks, control and invisible characters, and wildcards", () => {
    const wrong = ["", ":", "a:", ":a", "a::b", "a..b", ".a", "a.", " a", "a ", "a b", "a\u00a0b", "a\n", "a\u0000"]
    for (const text of [...wrong, "a:\u200b", "a\u202eb", "a:\ud800", "*", "a:*", "a*"]) {
      assert.isFalse(isCapabilityName(text), JSON.stringify(text))
    }
    for (const text of ["fs.read", "mcp.call:Docs-2.x:search_all", "__proto__", "tool.call:größe", "a"]) {
      assert.isTrue(isCapabilityName(text), JSON.stringify(text))
    }
  })
})

describe("capability match", () => {
  it("agrees with the definition: the whole name, or a grant of a name above it, and nothing else", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 6 }), fc.oneof(name, anything), (grants, required) => {
        const parts = required.split(":")
        const above = parts.slice(1).map((_, index) => `${parts.slice(0, index + 1).join(":")}:*`)
        const secret = required === "secret.bind" || required.startsWith("secret.bind:")
        const expected =
          isCapabilityName(required) &&
          (grants.includes(required) || (!secret && above.some((grant) => grants.includes(grant))))
        const answer = matchCapability({ grants, required, lookup: "default" })
        assert.strictEqual(answer.granted, expected)
        if (answer.by !== null) assert.include(grants, answer.by)
      })
    )
  })

  it("never grants a name that may not be asked for", () => {
    fc.assert(
      fc.property(fc.array(anything), anything, fc.constantFrom(...lookups), (grants, required, lookup) => {
        fc.pre(!isCapabilityName(required))
        const all = { [note]: [...grants, required] }
        const question = { grants: [...grants, required], required, lookup, component: note }
        assert.isFalse(matchCapability({ ...question, componentGrants: all, componentDeclares: all }).granted)
      })
    )
  })

  it("gives a secret by its whole name among the defaults only, whatever the look-up", () => {
    fc.assert(
      fc.property(fc.array(anything), part, fc.constantFrom(...lookups), (grants, secret, lookup) => {
        const required = `secret.bind:${secret}`
        const all = { [note]: [required, "secret.bind:*"] }
        const others = grants.filter((grant) => grant !== required)
        const question = { required, lookup, component: note, componentGrants: all, componentDeclares: all }
        assert.isFalse(matchCapability({ ...question, grants: [...others, "secret.bind:*", "secret:*"] }).granted)
        assert.isTrue(matchCapability({ ...question, grants: [...others, required] }).granted)
      })
    )
  })

  it("lets a component use what is granted to it and declared by it, and nobody else", () => {
    const grants = compileGrants({ defaults: [], components: { [note]: ["fs.read"] } }, { [note]: ["fs.write"] })
    assert.isTrue(grants.match("fs.read", "gate", note).granted)
    assert.isFalse(grants.match("fs.read", "default", note).granted)
    assert.isFalse(grants.match("fs.read", "gate", "agent/tools/other").granted)
    assert.isFalse(grants.match("fs.read", "gate").granted)
    assert.isTrue(grants.match("fs.write", "inside", note).granted)
    assert.isFalse(grants.match("fs.write", "gate", note).granted, "a declaration cannot open its own gate")
    assert.isFalse(grants.match("fs.read", "gate", "__proto__").granted)
  })

  it("keeps connecting and calling apart", () => {
    const grants = compileGrants({ defaults: ["mcp.connect:docs"], components: {} })
    assert.isTrue(grants.match("mcp.connect:docs", "gate").granted)
    assert.isFalse(grants.match("mcp.call:docs", "gate").granted)
  })
})

describe("capability snapshots", () => {
  it("have one fingerprint for one set of grants", () => {
    const list = fc.uniqueArray(name, { maxLength: 5 })
    fc.assert(
      fc.property(list, list, fc.integer(), (defaults, scoped, seed) => {
        const turned = (grants: ReadonlyArray<string>) => [...grants.slice(seed % 3), ...grants]
        const left = makeCapabilitySnapshot(defaults, { [note]: scoped })
        const right = makeCapabilitySnapshot(turned([...defaults].reverse()), { [note]: turned(scoped) })
        assert.strictEqual(left.fingerprint, right.fingerprint)
        assert.notStrictEqual(
          left.fingerprint,
          makeCapabilitySnapshot([...defaults, "more"], { [note]: scoped }).fingerprint
        )
        assert.notStrictEqual(left.fingerprint, makeCapabilitySnapshot(defaults, { other: scoped }).fingerprint)
      })
    )
  })
})
