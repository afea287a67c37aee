import { assert, describe, it } from "@effect/vitest"
import { makeArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import { BuiltinSource } from "@gatehouse/adapters/builtin/BuiltinSource"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import { Fingerprint } from "@gatehouse/core/Fingerprint"
import { Home } from "@gatehouse/core/Home"
import { CoreRevision } from "@gatehouse/core/Identifiers"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { callEntry, planCall } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

const gate = { pass: () => Effect.dieMessage("builtins need no effect of their own") }

const entryNamed = (name: string, index: number): EffectEntry => ({
  name,
  source: "builtin",
  description: `Does ${name}`,
  inputSchema: { type: "object" },
  capability: index % 2 === 0 ? null : "fs.read",
  risk: "low",
  policy: { effective: "auto", decidedBy: "builtin" },
  readOnly: true,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  coreRevision: CoreRevision("r"),
  provenance: `builtin ${name}`,
  component: null,
  metadata: {},
  fingerprint: Fingerprint("f")
})

const makeEntries = (catalog: ReadonlyArray<EffectEntry>) =>
  Effect.gen(function* () {
    const scene = yield* makeScene
    const home = Layer.succeed(Home, { root: scene.root, key: new Uint8Array(32) })
    const services = Layer.merge(
      Layer.succeed(Workspaces, { judge: scene.workspaces.judge }),
      Processes.layer().pipe(Layer.provide(Artifacts.layer()), Layer.provide(home))
    )
    const source = yield* BuiltinSource.pipe(
      Effect.provide(BuiltinSource.layer({ catalogOf: () => catalog, more: [] }).pipe(Layer.provide(services)))
    )
    const { entries } = yield* source.entries(scene.turn, gate)
    const named = (name: string) => {
      const found = entries.find((entry) => entry.name === name)
      return found === undefined ? Effect.dieMessage(`no ${name}`) : Effect.succeed(found)
    }
    return { ...scene, entries, named }
  })

describe("builtins", () => {
  it.scoped("say what they need, and may only be tightened", () =>
    Effect.gen(function* () {
      const { entries } = yield* makeEntries([])
      const table = entries.map(
        ({ capability, name, policy, readOnly, risk, tightenOnly, toolset }) =>
          `${name} ${capability} ${policy} ${risk} ${readOnly ? "reads" : "writes"} ${toolset} ${tightenOnly}`
      )
      assert.deepStrictEqual(table, [
        "read_file fs.read auto low reads coding true",
        "write_file fs.write prompt medium writes coding true",
        "patch fs.write prompt medium writes coding true",
        "list_files fs.read auto low reads coding true",
        "search_files fs.read auto low reads coding true",
        "tools_list null auto low reads control true"
      ])
    })
  )

  it.scoped("have schemas that take good arguments and refuse others, as their plans do", () =>
    Effect.gen(function* () {
      const { entries, turn } = yield* makeEntries([])
      const { validate } = makeArgumentSchemas()
      const good = {
        read_file: { path: "a" },
        write_file: { path: "a", content: "" },
        patch: { path: "a", old: "x", new: "" },
        list_files: {},
        search_files: { query: "x", glob: null },
        tools_list: {}
      } as const
      for (const entry of entries) {
        const args = good[entry.name as keyof typeof good]
        assert.isNull(validate(entry.inputSchema, args), entry.name)
        for (const bad of [{ ...args, unknown: 1 }, { ...args, path: 1, query: 1 }, [], "x"]) {
          assert.isNotNull(validate(entry.inputSchema, bad), entry.name)
        }
        const { plan } = planCall(entry, { path: 7, query: 7 }, turn)
        assert.isTrue(plan instanceof PlanRefused && plan.status === "invalid", entry.name)
      }
    })
  )

  it.scoped("list the tools of the turn from its own entries", () =>
    Effect.gen(function* () {
      const catalog = Array.from({ length: 150 }, (_, index) => entryNamed(`tool_${index}`, index))
      const { named, turn } = yield* makeEntries(catalog)
      const list = yield* named("tools_list")
      const first = yield* callEntry(list, {}, turn)
      assert.include(first.output.text, "tool_1 (auto, low, fs.read): Does tool_1\n")
      assert.include(first.output.text, "… 50 more; go on with offset 100")
      assert.deepInclude(first.output.data, { total: 150, next_offset: 100 })
      const rest = yield* callEntry(list, { offset: 100 }, turn)
      assert.deepInclude(rest.output.data, { total: 150, next_offset: null })
      const one = yield* callEntry(list, { query: "TOOL_149" }, turn)
      assert.strictEqual(one.output.text, "tool_149 (auto, low, fs.read): Does tool_149")
      assert.strictEqual((yield* callEntry(list, { query: "nothing" }, turn)).output.text, "no tool fits")
    })
  )
})
