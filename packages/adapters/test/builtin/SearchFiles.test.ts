import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { globMatcher } from "@gatehouse/adapters/builtin/search/Glob"
import { searchFilesEntry } from "@gatehouse/adapters/builtin/search/SearchFiles"
import type { AdapterOutcome } from "@gatehouse/core/AdapterOutcome"
import type { AdapterError } from "@gatehouse/core/EffectError"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import { Home } from "@gatehouse/core/Home"
import type { Json } from "@gatehouse/core/Json"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes } from "@gatehouse/process/Processes"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { callEntry, planCall } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

const makeSearch = Effect.gen(function* () {
  const scene = yield* makeScene
  const home = Layer.succeed(Home, { root: join(scene.root, "host"), key: new Uint8Array(32) })
  const services = yield* Layer.build(Processes.layer().pipe(Layer.provide(Artifacts.layer()), Layer.provide(home)))
  const entry = searchFilesEntry(scene.workspaces, Context.get(services, Processes))
  const search = (args: Json): Effect.Effect<AdapterOutcome, AdapterError, Scope.Scope> =>
    callEntry(entry, args, scene.turn)
  const text = (args: Json) => Effect.map(search(args), ({ output }) => output.text)
  return { ...scene, entry, search, text }
})

describe("search_files", () => {
  it.live("finds text and names, and respects ignore files", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { put, text } = yield* makeSearch
        put("ws/.gitignore", "dist/\n*.log\n")
        put("ws/src/a.ts", "const needle = 1\nconst Needle = 2\n// a.b\n")
        put("ws/src/b.md", "no such thing\nneedle\n")
        put("ws/dist/a.js", "needle")
        put("ws/x.log", "needle")
        put("ws/.github/ci.yml", "needle")
        assert.strictEqual(
          yield* text({ query: "needle" }),
          ".github/ci.yml:1: needle\nsrc/a.ts:1: const needle = 1\nsrc/a.ts:2: const Needle = 2\nsrc/b.md:2: needle"
        )
        assert.strictEqual(yield* text({ query: "Needle" }), "src/a.ts:2: const Needle = 2")
        assert.strictEqual(yield* text({ query: "needle", glob: "*.md" }), "src/b.md:2: needle")
        assert.strictEqual(yield* text({ query: "needle", path: "src/b.md" }), "src/b.md:2: needle")
        assert.strictEqual(yield* text({ query: "a.b", path: "src" }), "src/a.ts:3: // a.b")
        assert.strictEqual(yield* text({ query: "^const .eedle = 2", regex: true }), "src/a.ts:2: const Needle = 2")
        assert.strictEqual(yield* text({ query: "A.TS", in: "names" }), "src/a.ts")
        assert.strictEqual(yield* text({ query: "**/*.md", in: "names" }), "src/b.md")
        assert.strictEqual(yield* text({ query: "nowhere to be found" }), "nothing found in .")
        assert.strictEqual(yield* text({ query: "-e", in: "content" }), "nothing found in .")
      })
    )
  )

  it.live("finds nothing in delicate places, behind links, or outside", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { put, root, text, workspace } = yield* makeSearch
        for (const path of [
          ".env",
          ".env.local",
          "id_rsa",
          "id_rsa_work",
          "x.pem",
          ".git/config",
          ".ssh/known_hosts",
          "a/.aws/config"
        ]) {
          put(`ws/${path}`, "needle")
        }
        put("out/a", "needle")
        put("ws/ok", "needle")
        symlinkSync(join(root, "out"), join(workspace, "link"))
        symlinkSync(join(workspace, ".env"), join(workspace, "notes"))
        assert.strictEqual(yield* text({ query: "needle" }), "ok:1: needle")
        assert.strictEqual(yield* text({ query: "a", in: "names" }), "nothing found in .")
      })
    )
  )

  it.live("asks before a delicate or outside folder, and searches it then", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { entry, put, root, search, turn } = yield* makeSearch
        put("ws/.git/config", "needle")
        put("out/a", "needle")
        put("out/.env", "needle")
        const policy = (path: string) => {
          const { plan } = planCall(entry, { query: "needle", path }, turn)
          return plan instanceof PlanRefused ? plan.status : `${plan.policy} ${plan.risk}`
        }
        assert.strictEqual(policy("."), "auto low")
        assert.strictEqual(policy(".git"), "prompt high")
        assert.strictEqual(policy(join(root, "out")), "prompt high")
        assert.strictEqual(policy(join(root, "host")), "denied")
        assert.strictEqual((yield* search({ query: "needle", path: ".git" })).output.text, ".git/config:1: needle")
        const outside = yield* search({ query: "needle", path: join(root, "out") })
        assert.strictEqual(outside.output.text, `${root}/out/a:1: needle`)
      })
    )
  )

  it.live("keeps its bounds: 50 and 200 results, 300 characters of a line, 200,000 of a file", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { put, search, text } = yield* makeSearch
        put("ws/many", "needle\n".repeat(1000))
        const results = (outcome: AdapterOutcome) =>
          (outcome.output.data as { results: ReadonlyArray<{ text: string }> }).results
        const many = yield* search({ query: "needle", path: "many" })
        assert.strictEqual(results(many).length, 50)
        assert.include(many.output.text, "more than 50 results")
        assert.strictEqual(results(yield* search({ query: "needle", path: "many", limit: 200 })).length, 200)

        put("ws/long", `${"x".repeat(5000)}needle${"y".repeat(5000)}`)
        const [long] = results(yield* search({ query: "needle", path: "long" }))
        assert.isAtMost(long?.text.length ?? 999, 300)
        assert.include(long?.text ?? "", "needle")

        put("ws/far", `${"x\n".repeat(99_990)}early\n${"x\n".repeat(10)}late\n`)
        assert.include(yield* text({ query: "early", path: "far" }), "far:99991: early")
        assert.include(yield* text({ query: "late", path: "far" }), "beyond the first 200000 characters")
        // 300,000 bytes, and 100,000 characters.
        put("ws/wide", `${"文\n".repeat(50_000)}${"文".repeat(50_000)}\nneedle\n`)
        assert.include(yield* text({ query: "needle", path: "wide" }), "wide:50002: needle")
      })
    )
  )

  it.live("says what is wrong", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { put, search, text, workspace } = yield* makeSearch
        put("ws/a", "x")
        const bad = yield* Effect.flip(search({ query: "(", regex: true }))
        assert.include(bad.message, "query: is no regular expression")
        assert.strictEqual((yield* Effect.flip(search({ query: "x", path: "missing" }))).reason, "missing")
        mkdirSync(join(workspace, "empty"))
        assert.strictEqual(yield* text({ query: "x", path: "empty" }), "nothing found in empty")
      })
    )
  )
})

describe("globs", () => {
  const table: ReadonlyArray<[glob: string, path: string, expected: boolean]> = [
    ["*.ts", "a.ts", true],
    ["*.ts", "src/deep/a.ts", true],
    ["*.ts", "a.tsx", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/x/a.ts", false],
    ["src/**/*.ts", "src/x/y/a.ts", true],
    ["src/**/*.ts", "src/a.ts", true],
    ["**/a", "a", true],
    ["**", "any/thing", true],
    ["*.{js,ts}", "x/a.js", true],
    ["*.{js,ts}", "a.md", false],
    ["{a,b}/{c,d}", "b/d", true],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["./src/*", "src/a", true],
    ["(a+)+$", "aaaa", false],
    ["a[b]", "a[b]", true]
  ]
  it.each(table)("%s on %s", (glob, path, expected) => assert.strictEqual(globMatcher(glob)(path), expected))

  it("take little time, whatever they are", () => {
    const started = performance.now()
    globMatcher(`${"*a".repeat(120)}b`)("a".repeat(250))
    globMatcher(`${"**/a/".repeat(50)}b`)("a/".repeat(2000))
    globMatcher("{a,b}".repeat(50))("ab")
    assert.isBelow(performance.now() - started, 500)
  })
})
