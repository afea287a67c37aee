import { execFileSync } from "node:child_process"
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import * as Effect from "effect/Effect"

const scene = Effect.acquireRelease(
  Effect.sync(() => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-paths-")))
    for (const folder of ["ws/src", "ws/.git", "out/dir", "home/.ssh", "host"])
      mkdirSync(join(root, folder), { recursive: true })
    for (const file of ["ws/a.txt", "ws/.env", "out/x", "home/.ssh/id_rsa"]) writeFileSync(join(root, file), "x")
    return root
  }),
  (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
)

const withScene = (use: (root: string, judge: (path: string, base?: string) => string) => void) =>
  Effect.scoped(
    Effect.gen(function* () {
      const root = yield* scene
      const options = { home: join(root, "home"), hostPlaces: [join(root, "host")], platform: "posix" as const }
      const { judge } = yield* Effect.provide(Workspaces, Workspaces.layer(options))
      use(root, (path, base) => {
        const verdict = judge(path, join(root, "ws"), base)
        return `${verdict.resolved.slice(root.length)} ${verdict.type} ${verdict.read} ${verdict.write}`
      })
    })
  )

describe("on a real file system", () => {
  it.effect("follows links of every kind", () =>
    withScene((root, judge) => {
      symlinkSync("src", join(root, "ws/inside"))
      symlinkSync(join(root, "out"), join(root, "ws/outside"))
      symlinkSync(join(root, "out/new"), join(root, "ws/dangling"))
      symlinkSync(".env", join(root, "ws/notes.txt"))
      symlinkSync("loop", join(root, "ws/loop"))
      symlinkSync(join(root, "ws"), join(root, "alias"))
      assert.strictEqual(judge("a.txt"), "/ws/a.txt file auto allow")
      assert.strictEqual(judge("src"), "/ws/src directory auto allow")
      assert.strictEqual(judge("inside/new.ts"), "/ws/src/new.ts missing auto allow")
      assert.strictEqual(judge("outside/x"), "/out/x file prompt refuse")
      assert.strictEqual(judge("outside/dir/../../ws/a.txt"), "/ws/a.txt file auto allow")
      assert.strictEqual(judge("dangling"), "/out/new missing prompt refuse")
      assert.strictEqual(judge("notes.txt"), "/ws/.env file prompt prompt")
      assert.strictEqual(judge("loop/x"), "/ws/loop/x special refuse refuse")
      assert.strictEqual(judge(join(root, "alias/a.txt")), "/ws/a.txt file auto allow")
      assert.strictEqual(judge("x", join(root, "ws/outside")), "/out/x file prompt refuse")
      assert.strictEqual(judge("~/.ssh/id_rsa"), "/home/.ssh/id_rsa file prompt refuse")
      assert.strictEqual(judge(join(root, "host/key")), "/host/key missing refuse refuse")
    })
  )

  it.effect("knows special files and second names", () =>
    withScene((root, judge) => {
      execFileSync("mkfifo", [join(root, "ws/pipe")])
      linkSync(join(root, "home/.ssh/id_rsa"), join(root, "ws/hard"))
      linkSync(join(root, "ws/a.txt"), join(root, "ws/b.txt"))
      mkdirSync(join(root, "ws/node_modules/x"), { recursive: true })
      linkSync(join(root, "out/x"), join(root, "ws/node_modules/x/index.js"))
      assert.strictEqual(judge("pipe"), "/ws/pipe special refuse refuse")
      assert.strictEqual(judge("hard"), "/ws/hard file prompt prompt")
      assert.strictEqual(judge("b.txt"), "/ws/b.txt file auto allow")
      assert.strictEqual(judge("node_modules/x/index.js"), "/ws/node_modules/x/index.js file auto prompt")
    })
  )

  it.effect("takes what is missing and a file for a folder as they are", () =>
    withScene((_, judge) => {
      assert.strictEqual(judge("a.txt/b"), "/ws/a.txt/b missing auto allow")
      assert.strictEqual(judge("new/deep/er"), "/ws/new/deep/er missing auto allow")
      assert.strictEqual(judge("new/../src"), "/ws/src directory auto allow")
    })
  )
})
