import { execFileSync } from "node:child_process"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { writeFileEntry } from "@gatehouse/adapters/builtin/files/WriteFile"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import * as Effect from "effect/Effect"
import { callEntry, planCall } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

const statusOf = (plan: unknown) => (plan instanceof PlanRefused ? `${plan.status} ${plan.rule}` : "planned")

describe("write_file", () => {
  it.scoped("makes files and folders, and replaces a whole file", () =>
    Effect.gen(function* () {
      const { turn, workspace, workspaces } = yield* makeScene
      const entry = writeFileEntry(workspaces)
      yield* callEntry(entry, { path: "new/deep/a.txt", content: "ä\r\n" }, turn)
      assert.strictEqual(readFileSync(join(workspace, "new/deep/a.txt"), "utf8"), "ä\r\n")
      chmodSync(join(workspace, "new/deep/a.txt"), 0o640)
      const outcome = yield* callEntry(entry, { path: "new/deep/a.txt", content: "b\n" }, turn)
      assert.strictEqual(readFileSync(join(workspace, "new/deep/a.txt"), "utf8"), "b\n")
      assert.strictEqual(statSync(join(workspace, "new/deep/a.txt")).mode & 0o777, 0o640)
      assert.include(outcome.output.operator?.text ?? "", "-ä\r\n+b")
      assert.deepStrictEqual(readdirSync(join(workspace, "new/deep")), ["a.txt"])
    })
  )

  it.scoped("shows the change before, asks by its policy, and names one write scope", () =>
    Effect.gen(function* () {
      const { put, turn, workspaces } = yield* makeScene
      put("ws/a.txt", "one\ntwo\n")
      const entry = writeFileEntry(workspaces)
      const { plan } = planCall(entry, { path: "a.txt", content: "one\nthree\n" }, turn)
      assert.strictEqual(entry.policy, "prompt")
      assert.isFalse(plan instanceof PlanRefused)
      if (plan instanceof PlanRefused) return
      assert.deepStrictEqual(plan.preview, {
        path: "a.txt",
        change: "replaces the file",
        bytes: 10,
        lines: "+1 -1 lines",
        diff: ["@@ -1,2 +1,2 @@", " one", "-two", "+three"]
      })
      assert.match(plan.writeScope ?? "", /^file:.*a\.txt$/)
    })
  )

  it.scoped("refuses before anybody is asked", () =>
    Effect.gen(function* () {
      const { root, turn, workspace, workspaces } = yield* makeScene
      mkdirSync(join(workspace, "folder"))
      symlinkSync(join(root, "out/new"), join(workspace, "dangling"))
      const plan = (path: string, content = "") =>
        statusOf(planCall(writeFileEntry(workspaces), { path, content }, turn).plan)
      assert.strictEqual(plan(join(root, "out/a")), "denied path.write")
      assert.strictEqual(plan("dangling"), "denied path.write")
      assert.strictEqual(plan("folder"), "invalid file.folder")
      assert.strictEqual(plan("a", "\ud800"), "invalid content")
      assert.strictEqual(plan("x\0"), "invalid path.malformed")
      assert.isFalse(existsSync(join(root, "out/new")))
    })
  )

  it.scoped("keeps what a delicate file holds out of preview and report", () =>
    Effect.gen(function* () {
      const { put, turn, workspaces } = yield* makeScene
      put("ws/.env", "TOKEN=old-value\n")
      const call = planCall(writeFileEntry(workspaces), { path: ".env", content: "TOKEN=new\n" }, turn)
      assert.notInclude(JSON.stringify(call.plan instanceof PlanRefused ? "" : call.plan.preview), "old-value")
      const outcome = yield* call.run
      assert.notInclude(JSON.stringify(outcome), "old-value")
    })
  )

  it.scoped("does nothing where anything changed since the question", () =>
    Effect.gen(function* () {
      const { put, root, turn, workspace, workspaces } = yield* makeScene
      const entry = writeFileEntry(workspaces)
      const place = join(workspace, "d/a.txt")
      put("out/d/a.txt", "outside")
      const swaps: ReadonlyArray<readonly [name: string, swap: () => void]> = [
        ["edited", () => writeFileSync(place, "edited meanwhile")],
        ["same size, other content", () => writeFileSync(place, "OLD")],
        ["another file", () => (rmSync(place), writeFileSync(place, "old"))],
        ["gone", () => rmSync(place)],
        ["a link", () => (rmSync(place), symlinkSync(join(root, "out/d/a.txt"), place))],
        [
          "its folder a link",
          () => (
            renameSync(join(workspace, "d"), join(workspace, "e")),
            symlinkSync(join(root, "out/d"), join(workspace, "d"))
          )
        ],
        ["the workspace gone", () => rmSync(workspace, { recursive: true })]
      ]
      for (const [name, swap] of swaps) {
        rmSync(workspace, { recursive: true, force: true })
        mkdirSync(join(workspace, "d"), { recursive: true })
        writeFileSync(place, "old")
        const call = planCall(entry, { path: "d/a.txt", content: "new" }, turn)
        swap()
        const error = yield* Effect.flip(call.run)
        assert.strictEqual(error.reason, "changed", name)
        assert.isFalse(error.mayHaveHappened)
        assert.strictEqual(readFileSync(join(root, "out/d/a.txt"), "utf8"), "outside", name)
        assert.deepStrictEqual(readdirSync(join(root, "out/d")), ["a.txt"], name)
      }
    })
  )

  it.scoped("does not write into what has come into a new file's place", () =>
    Effect.gen(function* () {
      const { root, turn, workspace, workspaces } = yield* makeScene
      const entry = writeFileEntry(workspaces)
      const file = planCall(entry, { path: "a.txt", content: "new" }, turn)
      writeFileSync(join(workspace, "a.txt"), "first")
      assert.strictEqual((yield* Effect.flip(file.run)).reason, "changed")
      assert.strictEqual(readFileSync(join(workspace, "a.txt"), "utf8"), "first")
      const folder = planCall(entry, { path: "n/a.txt", content: "new" }, turn)
      symlinkSync(join(root, "out"), join(workspace, "n"))
      assert.strictEqual((yield* Effect.flip(folder.run)).reason, "changed")
      assert.deepStrictEqual(readdirSync(join(root, "out")), [])
    })
  )

  it.scoped("leaves the old file and nothing else where the disk is full", () =>
    Effect.gen(function* () {
      const { turn, workspace, workspaces } = yield* makeScene
      // A limit on the size of files ends a write in its middle, as a full disk does.
      const limitFiles = (bytes: string) => execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}:`])
      yield* Effect.acquireRelease(
        Effect.sync(() => limitFiles("65536")),
        () => Effect.sync(() => limitFiles("unlimited"))
      )
      writeFileSync(join(workspace, "a.txt"), "old")
      const entry = writeFileEntry(workspaces)
      const error = yield* Effect.flip(callEntry(entry, { path: "a.txt", content: "x".repeat(200_000) }, turn))
      assert.strictEqual(error.reason, "disk_full")
      assert.isFalse(error.mayHaveHappened)
      yield* Effect.flip(callEntry(entry, { path: "n/b.txt", content: "x".repeat(200_000) }, turn))
      assert.deepStrictEqual(readdirSync(workspace), ["a.txt"])
      assert.strictEqual(readFileSync(join(workspace, "a.txt"), "utf8"), "old")
    })
  )
})
