import { assert, describe, it } from "@effect/vitest"
import type { Catalog, EffectRef } from "@gatehouse/catalog/Catalog"
import { diffCatalogs } from "@gatehouse/catalog/CatalogDiff"
import { Catalogs } from "@gatehouse/catalog/Catalogs"
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import { anthropicTool, mcpTool, openAiTool } from "@gatehouse/catalog/exports/ProviderDefinitions"
import type { CatalogSource } from "@gatehouse/catalog/freezing/FreezeCatalog"
import { freezeCatalog } from "@gatehouse/catalog/freezing/FreezeCatalog"
import { CallId } from "@gatehouse/core/Identifiers"
import type { JsonObject } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { builtins, coreOf, entry, plainCore, settings } from "./support/Entries.ts"

const call = CallId("call_1")

const frozen = (sources: ReadonlyArray<CatalogSource>, core: AgentCore = plainCore): Catalog =>
  Either.getOrThrow(freezeCatalog({ core, sources }, settings))

const refOf = (catalog: Catalog, name: string): EffectRef => {
  const ref = catalog.resolve(name)
  assert.isNotNull(ref)
  return ref
}

const isDeepFrozen = (value: unknown): boolean =>
  typeof value !== "object" || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeepFrozen))

describe("requests", () => {
  const catalog = frozen([builtins(entry("read_file"), entry("write_file"))])
  const other = frozen([builtins(entry("read_file"), entry("write_file"))])

  it("are bound to their own catalog, even where another one is equal", () => {
    const request = Either.getOrThrow(catalog.request(refOf(catalog, "read_file"), { path: "a" }, call))
    assert.strictEqual(other.id, catalog.id)
    assert.strictEqual(catalog.bound(request)?.entry, catalog.entries[0])
    assert.isNull(other.bound(request))
  })

  it("are refused for another catalog's reference, and for one that is made up", () => {
    for (const ref of [refOf(other, "read_file"), {}, null, Object.create(refOf(catalog, "read_file"))]) {
      const refused = Either.flip(catalog.request(ref as EffectRef, {}, call))
      assert.strictEqual(Either.getOrThrow(refused).reason, "foreign")
    }
  })

  it("are no copies: a bare call, a spread or a look-alike is bound to nothing", () => {
    const request = Either.getOrThrow(catalog.request(refOf(catalog, "read_file"), {}, call))
    const lookAlike = Object.assign(Object.create(Object.getPrototypeOf(request)), request)
    for (const forged of [{ ...request }, lookAlike, { name: "read_file", arguments: {} }, "read_file", null]) {
      assert.isNull(catalog.bound(forged))
    }
  })

  it("cannot be given another name", () => {
    const request = Either.getOrThrow(catalog.request(refOf(catalog, "read_file"), {}, call))
    assert.throws(() => Object.assign(request, { name: "write_file" }))
    assert.strictEqual(catalog.bound(request)?.entry.name, "read_file")
  })

  it("keep their arguments as they were submitted", () => {
    const args = { paths: ["a"], options: { deep: [1] } }
    const request = Either.getOrThrow(catalog.request(refOf(catalog, "read_file"), args, call))
    args.paths.push("b")
    args.options.deep = []
    assert.deepStrictEqual(request.arguments, { paths: ["a"], options: { deep: [1] } })
    assert.isTrue(isDeepFrozen(request.arguments))
  })

  it("name the argument that is no JSON", () => {
    const refused = Either.flip(catalog.request(refOf(catalog, "read_file"), { a: { b: new Date() } }, call))
    const { message, reason } = Either.getOrThrow(refused)
    assert.strictEqual(reason, "arguments")
    assert.include(message, "a.b")
  })

  it("resolve exact names only", () => {
    for (const name of ["READ_FILE", "read_file ", "", "constructor", "__proto__"]) assert.isNull(catalog.resolve(name))
  })
})

describe("a frozen catalog", () => {
  it("is sorted, deeply frozen, and reads the same twice", () => {
    const catalog = frozen([builtins(entry("write_file"), entry("Read"), entry("list_files"))])
    assert.deepStrictEqual(
      catalog.entries.map(({ name }) => name),
      ["Read", "list_files", "write_file"]
    )
    assert.isTrue(isDeepFrozen(catalog.entries))
    assert.isTrue(isDeepFrozen(catalog.definitions))
    assert.strictEqual(catalog.definitions, catalog.definitions)
  })

  it("shows the model the entries that are called", () => {
    const catalog = frozen([builtins(entry("read_file"))])
    const request = Either.getOrThrow(catalog.request(refOf(catalog, "read_file"), {}, call))
    assert.strictEqual(catalog.definitions[0]?.inputSchema, catalog.bound(request)?.entry.inputSchema)
  })

  it("leaves out toolsets that are not selected", () => {
    const sources = [builtins(entry("read_file", { toolset: "coding" }), entry("task_list", { toolset: "control" }))]
    const core = coreOf("agent:\n  id: a\ntools:\n  toolsets: [coding]\n")
    assert.deepStrictEqual(
      frozen(sources, core).entries.map(({ name }) => name),
      ["read_file"]
    )
  })

  it("drops what is not enabled from definitions and from dispatch alike", () => {
    const core = coreOf("agent:\n  id: a\ntools:\n  metadata:\n    read_file: {enabled: false}\n")
    const catalog = frozen([builtins(entry("read_file"), entry("write_file"))], core)
    assert.isNull(catalog.resolve("read_file"))
    assert.deepStrictEqual(
      catalog.definitions.map(({ name }) => name),
      ["write_file"]
    )
  })

  it("costs one entry, not the catalog, where a definition is no JSON within bounds", () => {
    let deep: JsonObject = {}
    for (let depth = 0; depth < 100; depth++) deep = { properties: deep }
    const bad: ReadonlyArray<unknown> = [
      deep,
      { a: () => 1 },
      { a: Number.NaN },
      { when: new Date() },
      { a: "x".repeat(600_000) }
    ]
    for (const inputSchema of bad) {
      const catalog = frozen([builtins(entry("good"), entry("bad", { inputSchema: inputSchema as JsonObject }))])
      assert.deepStrictEqual(
        catalog.entries.map(({ name }) => name),
        ["good"]
      )
      assert.deepInclude(catalog.diagnostics[0], { subject: "builtin bad", severity: "error" })
    }
  })
})

describe("metadata", () => {
  const override = (yaml: string, changes = {}) =>
    frozen(
      [builtins(entry("read_file", changes))],
      coreOf(`agent:\n  id: a\ntools:\n  metadata:\n    read_file: ${yaml}\n`)
    )

  it("overrides what an entry brings along, and says which setting decided", () => {
    const [first] = override(
      "{risk: high, approval_policy: deny, capability: special, display_policy: full, model_output_policy: none}"
    ).entries
    assert.deepInclude(first, { risk: "high", capability: "special", displayPolicy: "full", modelOutputPolicy: "none" })
    assert.deepStrictEqual(first?.policy, {
      effective: "deny",
      decidedBy: "agent.yaml:5 tools.metadata.read_file.approval_policy"
    })
  })

  it("tells of settings that have no effect on what may only be tightened", () => {
    const catalog = override("{risk: low, approval_policy: auto}")
    assert.deepInclude(catalog.entries[0], { risk: "medium" })
    assert.strictEqual(catalog.entries[0]?.policy.effective, "prompt")
    assert.deepStrictEqual(
      catalog.diagnostics.map(({ subject }) => subject),
      ["agent.yaml:5 tools.metadata.read_file.risk", "agent.yaml:5 tools.metadata.read_file.approval_policy"]
    )
  })

  it("leaves a fixed capability alone, and says so", () => {
    const catalog = override("{capability: other}", { capability: "session.read", capabilityFixed: true })
    assert.strictEqual(catalog.entries[0]?.capability, "session.read")
    assert.strictEqual(catalog.diagnostics.length, 1)
  })

  it("for a tool that nobody brings is told with the nearest name", () => {
    const core = coreOf("agent:\n  id: a\napproval:\n  tools: {raed_file: deny}\n")
    const [told] = frozen([builtins(entry("read_file"))], core).diagnostics
    assert.include(told?.remedy, "read_file")
    assert.include(told?.subject, "agent.yaml:4")
  })
})

describe("a name that two sources bring", () => {
  const authored = (name: string): CatalogSource => ({
    kind: "authored",
    entries: [entry(name, { provenance: `agent/tools/${name}/tool.yaml` })],
    diagnostics: []
  })
  const mcp: CatalogSource = {
    kind: "mcp",
    entries: [entry("docs__get", { provenance: "agent/mcp/docs.yaml tool get" })],
    diagnostics: []
  }

  const refusal = (...sources: ReadonlyArray<CatalogSource>) =>
    Either.getOrThrow(Either.flip(freezeCatalog({ core: plainCore, sources }, settings)))

  it("refuses the catalog with both provenances and the advice to rename", () => {
    for (const [sources, places] of [
      [
        [builtins(entry("note")), authored("note")],
        ["builtin note", "agent/tools/note/tool.yaml"]
      ],
      [
        [builtins(entry("note")), authored("Note")],
        ["builtin note", "agent/tools/Note/tool.yaml"]
      ],
      [
        [authored("docs__get"), mcp],
        ["agent/tools/docs__get/tool.yaml", "agent/mcp/docs.yaml"]
      ],
      [
        [builtins(entry("docs__get")), mcp],
        ["builtin docs__get", "agent/mcp/docs.yaml"]
      ]
    ] as const) {
      const { message } = refusal(...sources)
      for (const place of places) assert.include(message, place)
      assert.match(message, /rename/)
    }
  })

  it("is no clash where one of them is not selected", () => {
    const sources = [builtins(entry("note", { toolset: "coding" })), authored("note")]
    assert.strictEqual(frozen(sources).entries.length, 1)
  })
})

describe("fingerprints", () => {
  const shuffled = (value: unknown): unknown =>
    typeof value !== "object" || value === null
      ? value
      : Array.isArray(value)
        ? value.map(shuffled)
        : Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, part]) => [key, shuffled(part)])
          )

  const fingerprintOf = (schema: unknown): string | undefined =>
    frozen([builtins(entry("tool", { inputSchema: { schema } as JsonObject }))]).entries[0]?.fingerprint

  const json = fc.jsonValue().filter((value) => !JSON.stringify(value).includes("__proto__"))

  it("are equal for equal schemas whatever the order of fields", () => {
    fc.assert(
      fc.property(json, (value) => {
        assert.strictEqual(fingerprintOf(structuredClone(value)), fingerprintOf(shuffled(value)))
      })
    )
  })

  it("differ for different schemas", () => {
    fc.assert(
      fc.property(json, json, (left, right) => {
        const same = JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))
        assert.strictEqual(fingerprintOf(structuredClone(left)) === fingerprintOf(structuredClone(right)), same)
      })
    )
    const near = [
      ["a", "b"],
      ["ab"],
      ["a", ["b"]],
      { a: "b" },
      ["a", "b", null],
      [["a"], "b"],
      "ab",
      ["Ā"],
      ["\u0001\u0000"],
      [1],
      ["1"],
      [true],
      ["true"],
      [null],
      [0],
      [[]],
      [{}]
    ]
    assert.strictEqual(new Set(near.map(fingerprintOf)).size, near.length)
  })

  it("change with every field of an entry", () => {
    const changes = [
      {},
      { description: "x" },
      { capability: null },
      { risk: "high" },
      { policy: "deny" },
      { policyOrigin: "y" },
      { readOnly: true },
      { displayPolicy: "full" },
      { modelOutputPolicy: "none" },
      { provenance: "z" },
      { component: "agent/tools/x" },
      { metadata: { a: 1 } },
      { inputSchema: { type: "object" } }
    ] as const
    const all = changes.map((change) => frozen([builtins(entry("tool", change))]).entries[0]?.fingerprint)
    assert.strictEqual(new Set(all).size, changes.length)
    assert.notStrictEqual(
      frozen([builtins(entry("tool"))], coreOf("agent:\n  id: test\n", "tree:other")).entries[0]?.fingerprint,
      all[0]
    )
  })

  it("are the same whether an entry is frozen alone or behind others", () => {
    const names = ["a", "b", "c", "d"]
    const alone = names.map(
      (name) => frozen([builtins(entry(name, { metadata: { n: name } }))]).entries[0]?.fingerprint
    )
    const mixed = frozen([
      builtins(
        ...names.map((name, index) =>
          entry(name, { metadata: { n: name }, ...(index % 2 === 0 ? {} : { provenance: `builtin ${name}` }) })
        )
      )
    ])
    assert.deepStrictEqual(
      mixed.entries.map(({ fingerprint }) => fingerprint),
      alone
    )
  })
})

const sorted = (value: unknown): unknown =>
  typeof value !== "object" || value === null
    ? value
    : Array.isArray(value)
      ? value.map(sorted)
      : Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, part]) => [key, sorted(part)])
        )

describe("Catalogs", () => {
  it.effect("gives the same object for unchanged inputs, and another after a change", () =>
    Effect.gen(function* () {
      const catalogs = yield* Catalogs
      const [first, second] = [entry("a"), entry("b")]
      const turn = (core: AgentCore, ...entries: ReadonlyArray<typeof first>) =>
        catalogs.freeze({ core, sources: [builtins(...entries)] })
      const catalog = yield* turn(plainCore, first, second)
      assert.strictEqual(yield* turn(plainCore, first, second), catalog)
      const changed = yield* turn(plainCore, first, entry("b", { description: "other" }))
      assert.notStrictEqual(changed.id, catalog.id)
      assert.strictEqual(changed.entries[0], catalog.entries[0])
      assert.notStrictEqual(yield* turn(coreOf("agent:\n  id: test\n"), first, second), catalog)
      assert.strictEqual(yield* turn(plainCore, first, second), catalog)
    }).pipe(Effect.provide(Catalogs.layer(settings)))
  )
})

describe("diffCatalogs", () => {
  it("tells what came, went and changed, and nothing of a new revision alone", () => {
    const before = frozen([builtins(entry("a"), entry("b"), entry("c"))])
    const after = frozen(
      [builtins(entry("b", { risk: "high" }), entry("c"), entry("d"))],
      coreOf("agent:\n  id: test\n", "tree:2")
    )
    const { added, changed, removed } = diffCatalogs(before, after)
    assert.deepStrictEqual(
      added.map(({ name }) => name),
      ["d"]
    )
    assert.deepStrictEqual(
      removed.map(({ name }) => name),
      ["a"]
    )
    assert.deepStrictEqual(changed, [{ name: "b", changes: [{ field: "risk", before: "medium", after: "high" }] }])
    assert.deepStrictEqual(diffCatalogs(after, after), { added: [], removed: [], changed: [] })
  })
})

describe("definitions for providers", () => {
  it("say that arguments are an object, and keep the name", () => {
    const definition = { name: "note", description: "Notes", inputSchema: {} }
    assert.deepStrictEqual(mcpTool(definition).inputSchema, { type: "object" })
    assert.deepStrictEqual(anthropicTool(definition).input_schema, { type: "object" })
    assert.deepStrictEqual(openAiTool(definition), {
      type: "function",
      name: "note",
      description: "Notes",
      parameters: { type: "object", properties: {} },
      strict: false
    })
  })
})
