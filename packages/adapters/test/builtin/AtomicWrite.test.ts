import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { writeAtomically } from "@gatehouse/adapters/builtin/files/AtomicWrite.boundary"
import * as Effect from "effect/Effect"
import { makeScene } from "../support/Scene.ts"

const content = Buffer.from("new")
const write = (job: Partial<Parameters<typeof writeAtomically>[0]> & { readonly place: string }) =>
  Effect.promise(() => writeAtomically({ content, replaces: null, isPlannedFolder: () => true, ...job }))

describe("an atomic write", () => {
  it.scoped("does nothing where the folder is not the planned one", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeScene
      const problem = yield* write({ place: join(workspace, "a"), isPlannedFolder: () => false })
      assert.strictEqual(problem, "changed")
      assert.deepStrictEqual(readdirSync(workspace), [])
    })
  )

  it.scoped("stays in the folder that was looked at, whatever stands in its place by then", () =>
    Effect.gen(function* () {
      const { root, workspace } = yield* makeScene
      const folder = join(workspace, "d")
      mkdirSync(folder)
      const problem = yield* write({
        place: join(folder, "deeper/a"),
        isPlannedFolder: (judged) => {
          assert.strictEqual(judged, folder)
          renameSync(folder, join(workspace, "moved"))
          symlinkSync(join(root, "out"), folder)
          return true
        }
      })
      assert.strictEqual(problem, null)
      assert.strictEqual(readFileSync(join(workspace, "moved/deeper/a"), "utf8"), "new")
      assert.deepStrictEqual(readdirSync(join(root, "out")), [])
    })
  )

  it.scoped("takes back the folders that it made", () =>
    Effect.gen(function* () {
      const { workspace } = yield* makeScene
      const replaces = { version: "0:0:0:0:0", bytes: null }
      assert.strictEqual(yield* write({ place: join(workspace, "x/y/a"), replaces }), "changed")
      assert.isFalse(existsSync(join(workspace, "x")))
    })
  )
})
