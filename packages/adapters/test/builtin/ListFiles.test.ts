import { mkdirSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { listFilesEntry } from "@gatehouse/adapters/builtin/files/ListFiles"
import * as Effect from "effect/Effect"
import { callEntry, planCall } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

describe("list_files", () => {
  it.scoped("lists level by level, names links and delicate folders, and enters neither", () =>
    Effect.gen(function* () {
      const { put, root, turn, workspace, workspaces } = yield* makeScene
      put("ws/b.txt", "")
      put("ws/src/x/y.ts", "")
      put("ws/.git/HEAD", "")
      put("out/secret", "")
      symlinkSync(join(root, "out"), join(workspace, "link"))
      const entry = listFilesEntry(workspaces)
      assert.strictEqual((yield* callEntry(entry, {}, turn)).output.text, ".git/\nb.txt\nlink\nsrc/")
      assert.strictEqual(
        (yield* callEntry(entry, { depth: 3 }, turn)).output.text,
        ".git/\nb.txt\nlink\nsrc/\nsrc/x/\nsrc/x/y.ts"
      )
    })
  )

  it.scoped("stops at 500 names, says so, and tells an empty folder from a missing one", () =>
    Effect.gen(function* () {
      const { put, turn, workspace, workspaces } = yield* makeScene
      const entry = listFilesEntry(workspaces)
      for (let index = 0; index < 501; index++) put(`ws/many/${index}`, "")
      mkdirSync(join(workspace, "empty"))
      const many = yield* callEntry(entry, { path: "many" }, turn)
      assert.strictEqual(many.output.text.split("\n").length, 501)
      assert.deepInclude(many.output.data, { truncated: true })
      assert.strictEqual((yield* callEntry(entry, { path: "empty" }, turn)).output.text, "(empty is empty)")
      assert.strictEqual((yield* Effect.flip(callEntry(entry, { path: "none" }, turn))).reason, "missing")
      assert.strictEqual((yield* Effect.flip(callEntry(entry, { path: "many/1" }, turn))).reason, "not_a_folder")
    })
  )

  it.scoped("does not list a folder that was swapped for a link", () =>
    Effect.gen(function* () {
      const { put, root, turn, workspace, workspaces } = yield* makeScene
      put("ws/d/a", "")
      put("out/secret", "")
      const call = planCall(listFilesEntry(workspaces), { path: "d" }, turn)
      rmSync(join(workspace, "d"), { recursive: true })
      symlinkSync(join(root, "out"), join(workspace, "d"))
      assert.notInclude(JSON.stringify(yield* Effect.flip(call.run)), "secret")
    })
  )
})
