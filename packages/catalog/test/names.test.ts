import { assert, describe, it } from "@effect/vitest"
import { exposedName } from "@gatehouse/catalog/names/ExposedName"
import { matchesPattern } from "@gatehouse/catalog/names/NamePattern"
import type { Naming, ServerTools } from "@gatehouse/catalog/names/ToolNames"
import { nameTools } from "@gatehouse/catalog/names/ToolNames"
import * as fc from "fast-check"

const named = (servers: ReadonlyArray<ServerTools>): Naming => {
  const naming = nameTools({ servers, builtin: [], authored: [] })
  assert.strictEqual(naming.outcome, "named")
  return naming.outcome === "named" ? naming : { outcome: "named", names: [], unnamed: [] }
}

/** Few letters, so that names meet often; and some that have to be replaced. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom("a", "A", "_", "-", ".", "é", "1"), maxLength: 5 }),
  fc.string({ unit: "binary", maxLength: 8 }),
  fc.string({ unit: fc.constantFrom("a", "A"), minLength: 50, maxLength: 90 })
)
const servers = fc.uniqueArray(fc.record({ id: text, tools: fc.array(text, { maxLength: 8 }) }), {
  selector: ({ id }) => id,
  maxLength: 5
})

const namesOf = ({ names }: Naming) =>
  new Map(names.map(({ name, server, tool }) => [JSON.stringify([server, tool]), name]))

describe("names of server tools", () => {
  it("are legal and unique, letter case disregarded", () => {
    fc.assert(
      fc.property(servers, (input) => {
        const names = named(input).names.map(({ name }) => name)
        for (const name of names) assert.match(name, exposedName)
        assert.strictEqual(new Set(names.map((name) => name.toLowerCase())).size, names.length)
      })
    )
  })

  it("do not depend on the order of servers and tools", () => {
    fc.assert(
      fc.property(servers, (input) => {
        const turned = [...input].reverse().map(({ id, tools }) => ({ id, tools: [...tools].reverse() }))
        assert.deepStrictEqual(namesOf(named(turned)), namesOf(named(input)))
      })
    )
  })

  it("account for every tool: named, or unnamed with a reason", () => {
    fc.assert(
      fc.property(servers, (input) => {
        const { names, unnamed } = named(input)
        assert.strictEqual(
          names.length + unnamed.length,
          input.reduce((sum, { tools }) => sum + tools.length, 0)
        )
      })
    )
  })

  it("are plain where nothing is in the way, and hashed only where something is", () => {
    const { names } = named([
      { id: "docs", tools: ["search", "a.b", "a-b"] },
      { id: "wiki", tools: ["search"] }
    ])
    const plain = names.filter(({ name }) => !/-[0-9a-f]{8}$/.test(name)).map(({ name }) => name)
    assert.deepStrictEqual(plain, ["docs__search", "wiki__search"])
    assert.strictEqual(names.length, 4)
  })

  it("keep a plain name apart from one that looks like a hashed one", () => {
    const pair = ["a.b", "a-b"]
    const [first] = named([{ id: "docs", tools: pair }]).names
    const imitation = first?.name.slice("docs__".length) ?? ""
    const { names } = named([{ id: "docs", tools: [...pair, imitation] }])
    assert.strictEqual(new Set(names.map(({ name }) => name)).size, 3)
    assert.strictEqual(named([{ id: "docs", tools: [imitation] }]).names[0]?.name, `docs__${imitation}`)
  })

  it("are nobody's where one server lists a tool twice", () => {
    const { names, unnamed } = named([{ id: "docs", tools: ["read", "read", "write"] }])
    assert.deepStrictEqual(
      names.map(({ tool }) => tool),
      ["write"]
    )
    assert.deepStrictEqual(
      unnamed.map(({ reason }) => reason),
      ["duplicate", "duplicate"]
    )
  })

  it("say no control character in a refusal", () => {
    const naming = nameTools({ servers: [{ id: "d\u001b[31m", tools: ["x"] }], builtin: [], authored: ["d--31m__x"] })
    assert.strictEqual(naming.outcome, "collision")
    assert.notMatch(naming.outcome === "collision" ? naming.message : "", /\p{C}/u)
  })

  it("are found for 10,000 tools at once", () => {
    const begin = performance.now()
    assert.strictEqual(
      named([{ id: "d", tools: Array.from({ length: 10_000 }, (_, index) => `t.${index % 5000}-${index}`) }]).names
        .length,
      10_000
    )
    assert.isBelow(performance.now() - begin, 2000)
  })
})

describe("patterns", () => {
  const escaped = (pattern: string): RegExp =>
    new RegExp(
      `^${pattern
        .split("*")
        .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("[^]*")}$`
    )

  it("mean what the expression made of them means", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", ".", "?", "["), maxLength: 8 })
    fc.assert(
      fc.property(letters, letters, (name, pattern) => {
        assert.strictEqual(matchesPattern(name, pattern), escaped(pattern).test(name))
      }),
      { numRuns: 2000 }
    )
  })

  it("are quick for stars without end", () => {
    const begin = performance.now()
    assert.isFalse(matchesPattern("a".repeat(20_000), "*a".repeat(200) + "b"))
    assert.isBelow(performance.now() - begin, 500)
  })
})
