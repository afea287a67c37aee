import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { AuthoredSource } from "@gatehouse/adapters/authored/AuthoredSource"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { grants, planCall, turnIn } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

const TestLayer = Layer.merge(AgentCores.layer, Layer.provide(AuthoredSource.layer, AgentCores.layer))
const gate = { pass: () => Effect.dieMessage("authored tools need no effect of their own") }

/** A core with tools; `call` plans and runs one of them under a turn of the core as it is now. */
const makeCore = Effect.gen(function* () {
  const { root, workspace } = yield* makeScene
  const cores = yield* AgentCores
  const source = yield* AuthoredSource
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, "core", path)), { recursive: true })
    writeFileSync(join(root, "core", path), text)
  }
  put("agent.yaml", "agent:\n  id: test\n")
  const tool = (id: string, module: string, manifest = "description: A tool\n", ending = "ts"): void => {
    put(`agent/tools/${id}/tool.yaml`, manifest)
    put(`agent/tools/${id}/module.${ending}`, module)
  }
  const entry = (id: string, more: Partial<TurnContext> = {}) =>
    Effect.gen(function* () {
      const core = yield* cores.load(join(root, "core"))
      const turn = turnIn(workspace, { coreRoot: core.root, coreRevision: core.revision, ...more })
      const { diagnostics, entries } = yield* source.entries(turn, gate)
      const found = entries.find(({ name }) => name === id)
      if (found === undefined) return yield* Effect.dieMessage(JSON.stringify(diagnostics))
      return { entry: found, turn }
    })
  const plan = (id: string, args: Json = {}, more: Partial<TurnContext> = {}) =>
    Effect.map(entry(id, more), ({ entry, turn }) => planCall(entry, args, turn))
  const call = (id: string, args: Json = {}, more: Partial<TurnContext> = {}) =>
    Effect.flatMap(plan(id, args, more), ({ run }) => run)
  return { root, put, tool, entry, plan, call }
})

describe("authored tools", () => {
  it.scoped("are imported and called at the deed, and not before", () =>
    Effect.gen(function* () {
      const { plan, root, tool } = yield* makeCore
      const proof = JSON.stringify(join(root, "imported"))
      tool(
        "note",
        `import { writeFileSync } from "node:fs"
         writeFileSync(${proof}, "")
         interface Args { readonly text: string }
         export const execute = async (ctx: unknown, args: Args): Promise<string> => args.text.toUpperCase()`
      )
      const planned = yield* plan("note", { text: "hello" })
      assert.isFalse(planned.plan instanceof PlanRefused)
      assert.isFalse(existsSync(join(root, "imported")))
      assert.strictEqual((yield* planned.run).output.text, "HELLO")
      assert.isTrue(existsSync(join(root, "imported")))
    }).pipe(Effect.provide(TestLayer))
  )

  it.scoped("are loaded anew after a change, also of what they import", () =>
    Effect.gen(function* () {
      const { call, put, tool } = yield* makeCore
      put("agent/shared/value.ts", "export const value: number = 1")
      tool("v", `import { value } from "../../shared/value.ts"\nexport const execute = () => "first " + value`)
      assert.strictEqual((yield* call("v")).output.text, "first 1")
      put("agent/shared/value.ts", "export const value: number = 2")
      assert.strictEqual((yield* call("v")).output.text, "first 2")
      tool("v", `import { value } from "../../shared/value.ts"\nexport const execute = () => "second " + value`)
      assert.strictEqual((yield* call("v")).output.text, "second 2")
    }).pipe(Effect.provide(TestLayer))
  )

  it.scoped("are not run where their folder changed since the catalog was made", () =>
    Effect.gen(function* () {
      const { plan, put, tool } = yield* makeCore
      tool("v", `export const execute = () => "planned"`)
      const planned = yield* plan("v")
      put("agent/tools/v/module.ts", `export const execute = () => "another"`)
      const error = yield* Effect.flip(planned.run)
      assert.strictEqual(error.reason, "changed")
      assert.isFalse(error.mayHaveHappened)
      put("agent/tools/v/module.ts", `export const execute = () => "planned"`)
      put("agent/tools/v/more.ts", ``)
      assert.strictEqual((yield* Effect.flip(planned.run)).reason, "changed")
    }).pipe(Effect.provide(TestLayer))
  )

  it.scoped("see turn, slot, capabilities, workspace, output and signal, and nothing else", () =>
    Effect.gen(function* () {
      const { call, plan, tool } = yield* makeCore
      tool(
        "see",
        `export const execute = (ctx, args) => {
           ctx.output("one\\n")
           args.changed = true
           return { keys: Object.keys(ctx).sort(), turn: ctx.turn, slot: [ctx.slotId, ctx.slotPath],
             can: ["own.cap", "granted", "scoped.a", "other"].map(ctx.capability.can), frozen: Object.isFrozen(ctx) }
         }`,
        "capabilities: [own.cap]\n",
        "js"
      )
      const capabilities = grants(["granted"], { "agent/tools/see": ["scoped:*", "scoped.a"] })
      const planned = yield* plan("see", { a: 1 }, { capabilities })
      const outcome = yield* planned.run
      assert.strictEqual(planned.told.live, "one\n")
      assert.isTrue(outcome.output.text.startsWith("one\n"))
      assert.deepStrictEqual(outcome.output.data, {
        keys: ["capability", "output", "signal", "slotId", "slotPath", "turn", "workspace"],
        turn: { id: "turn_1", session: "session_1" },
        slot: ["see", "agent/tools/see"],
        can: [true, true, true, false],
        frozen: true
      })
      tool("need", `export const execute = (ctx) => { ctx.capability.require("secret.thing"); return "no" }`)
      const error = yield* Effect.flip(call("need"))
      assert.strictEqual(error.reason, "capability")
      assert.include(error.message, "secret.thing")
    }).pipe(Effect.provide(TestLayer))
  )

  it.scoped("may return values, promises and Effects", () =>
    Effect.gen(function* () {
      const { call, put, tool } = yield* makeCore
      const own = JSON.stringify(createRequire(import.meta.url).resolve("effect/Effect"))
      tool(
        "own",
        `import * as Effect from ${own}\nexport const execute = () => Effect.promise(async () => "from an Effect")`
      )
      assert.strictEqual((yield* call("own")).output.text, "from an Effect")
      tool(
        "fails",
        `import * as Effect from ${own}\nexport const execute = () => Effect.fail({ _tag: "Sad", message: "no luck" })`
      )
      assert.strictEqual((yield* Effect.flip(call("fails"))).message, "the tool failed: Sad: no luck")
      // Another copy of the library, of another version.
      put("node_modules/effect/package.json", `{"name": "effect", "exports": {"./Effect": "./Effect.mjs"}}`)
      put(
        "node_modules/effect/Effect.mjs",
        `export const sync = (run) => ({ [Symbol.for("effect/Effect")]: { _V: "3.0.0" }, run })
         export const runPromise = async (effect, { signal }) => effect.run() + " " + signal.aborted`
      )
      tool(
        "foreign",
        `import { sync } from "effect/Effect"\nexport const execute = () => sync(() => "run by its own copy")`
      )
      assert.strictEqual((yield* call("foreign")).output.text, "run by its own copy false")
    }).pipe(Effect.provide(TestLayer))
  )

  it.scoped("cannot forge what the host alone knows", () =>
    Effect.gen(function* () {
      const { call, tool } = yield* makeCore
      tool(
        "forge",
        `export const execute = () => ({ text: "x", data: { a: 1 }, status: "denied", executionStarted: false,
           denial: { rule: "none" }, approval: "always", mayHaveHappened: false })`
      )
      const outcome = yield* call("forge")
      assert.deepStrictEqual(outcome, {
        status: "succeeded",
        output: { text: "x", data: { a: 1 }, artifacts: [] }
      })
      tool("mapping", `export const execute = () => ({ a: 1, executionStarted: false, denial: {}, approval: {} })`)
      assert.deepStrictEqual((yield* call("mapping")).output.data, { a: 1 })
      assert.notInclude((yield* call("mapping")).output.text, "denial")
      tool("failed", `export const execute = () => ({ text: "x", status: "failed", message: "not done" })`)
      assert.deepInclude(yield* call("failed"), { status: "failed", message: "not done" })
    }).pipe(Effect.provide(TestLayer))
  )

  it.scoped("may misbehave in what they return", () =>
    Effect.gen(function* () {
      const { call, tool } = yield* makeCore
      const text = (id: string, expression: string) =>
        Effect.gen(function* () {
          tool(id, `export const execute = () => (${expression})`)
          const outcome = yield* call(id)
          assert.strictEqual(outcome.status, "succeeded")
          assert.isAtMost(outcome.output.text.length, 20_000)
          assert.isAtMost(JSON.stringify(outcome.output.data).length, 300_000)
          return outcome.output.text
        })
      assert.strictEqual(yield* text("undef", "undefined"), "(the tool returned nothing)")
      assert.strictEqual(yield* text("nul", "null"), "(the tool returned nothing)")
      assert.strictEqual(yield* text("big", "12345678901234567890n"), "12345678901234567890")
      assert.strictEqual(yield* text("num", "NaN"), "NaN")
      assert.strictEqual(yield* text("buffer", `Buffer.from("grün")`), "grün")
      assert.strictEqual(yield* text("binary", `Buffer.from([255, 0, 1])`), "(3 bytes)")
      assert.include(
        yield* text("cycle", `(() => { const a = { n: 1n }; a.self = a; return a })()`),
        `"self": "(circular)"`
      )
      assert.include(yield* text("huge", `"x".repeat(100_000_000)`), "100000000 characters")
      assert.include(yield* text("hugedata", `({ blob: "x".repeat(100_000_000) })`), "…")
      assert.include(yield* text("many", `Array.from({ length: 1_000_000 }, (_, i) => i)`), "not complete")
      assert.include(
        yield* text("deep", `(() => { let a = {}; for (let i = 0; i < 100_000; i++) a = { a }; return a })()`),
        "nested"
      )
      assert.include(yield* text("map", `new Map([["k", new Set([1])]])`), `"k"`)
      assert.strictEqual(yield* text("func", `() => 1`), "(a function)")
      assert.include(yield* text("date", `({ at: new Date(0) })`), "1970")
      tool("getter", `export const execute = () => ({ get x() { throw new Error("trap") } })`)
      assert.include((yield* Effect.flip(call("getter"))).message, "trap")
    }).pipe(Effect.provide(TestLayer))
  )

  it.scoped("fail with a word for each way to fail", () =>
    Effect.gen(function* () {
      const { call, root, tool } = yield* makeCore
      const reason = (id: string, module: string, manifest?: string) =>
        Effect.gen(function* () {
          tool(id, module, manifest)
          const error = yield* Effect.flip(call(id))
          assert.isTrue("mayHaveHappened" in error && error.mayHaveHappened)
          return error.reason
        })
      assert.strictEqual(yield* reason("throws", `export const execute = () => { throw new Error("no") }`), "threw")
      assert.strictEqual(yield* reason("rejects", `export const execute = async () => { throw null }`), "threw")
      assert.strictEqual(yield* reason("syntax", `export const execute = (`), "import")
      assert.strictEqual(yield* reason("top", `throw new Error("at the top")`), "import")
      assert.strictEqual(yield* reason("absent", `import "./nothing.ts"\nexport const execute = () => 1`), "import")
      assert.strictEqual(yield* reason("none", `export const other = 1`), "entrypoint")
      assert.strictEqual(
        yield* reason("elsewhere", `export const run = () => 1`, "entrypoint: module:go\n"),
        "entrypoint"
      )
      tool("gone", `export const execute = () => 1`)
      rmSync(join(root, "core/agent/tools/gone/module.ts"))
      assert.strictEqual((yield* Effect.flip(call("gone"))).reason, "import")
    }).pipe(Effect.provide(TestLayer))
  )

  it.live("are told to end when their call is cut off, and named when they do not", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { entry, root, tool } = yield* makeCore
        const proof = JSON.stringify(join(root, "aborted"))
        tool(
          "polite",
          `import { writeFileSync } from "node:fs"
           export const execute = (ctx) => new Promise((resolve) => {
             ctx.output("half")
             ctx.signal.addEventListener("abort", () => { writeFileSync(${proof}, ""); resolve("ended") })
           })`
        )
        const { entry: polite, turn } = yield* entry("polite")
        const call = planCall(polite, {}, turn)
        const fiber = yield* Effect.fork(call.run)
        yield* Effect.sleep(400)
        yield* Fiber.interrupt(fiber)
        assert.isTrue(existsSync(join(root, "aborted")))
        assert.strictEqual(call.told.output?.text, "half")
        assert.strictEqual(call.told.unconfirmed, null)

        tool("never", `export const execute = () => new Promise(() => {})`)
        const never = yield* entry("never")
        const hanging = planCall(never.entry, {}, never.turn)
        const hung = yield* Effect.fork(hanging.run)
        yield* Effect.sleep(400)
        yield* Fiber.interrupt(hung)
        assert.include(hanging.told.unconfirmed ?? "", "did not end")
      })
    ).pipe(Effect.provide(TestLayer))
  )

  it.scoped("become entries with everything of their manifest, the same ones while nothing changes", () =>
    Effect.gen(function* () {
      const { entry, tool } = yield* makeCore
      tool(
        "note",
        `export const execute = () => 1`,
        "description: Notes\nrisk: high\ncapability: notes.write\napproval_policy: auto\n"
      )
      const first = yield* entry("note")
      assert.deepInclude(first.entry, {
        name: "note",
        description: "Notes",
        inputSchema: { type: "object" },
        capability: "notes.write",
        risk: "high",
        policy: "auto",
        tightenOnly: false,
        toolset: null,
        provenance: "agent/tools/note/tool.yaml",
        component: "agent/tools/note"
      })
      assert.include(first.entry.policyOrigin, "agent/tools/note/tool.yaml:4")
      const again = yield* entry("note")
      assert.strictEqual(again.entry, first.entry)
      const stale = yield* Effect.exit(
        entry("note", { coreRevision: first.turn.coreRevision.replace(/.$/, "x") as never })
      )
      assert.include(String(stale), "start the turn again")
    }).pipe(Effect.provide(TestLayer))
  )
})
