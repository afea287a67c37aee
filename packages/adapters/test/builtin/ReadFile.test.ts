import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { readFileEntry } from "@gatehouse/adapters/builtin/files/ReadFile"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import * as Effect from "effect/Effect"
import { callEntry, planCall } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

const dataOf = (outcome: { output: { data: unknown } }) => outcome.output.data as Record<string, unknown>

describe("read_file", () => {
  it.scoped("reads a file as it is, and says where it ended", () =>
    Effect.gen(function* () {
      const { put, turn, workspaces } = yield* makeScene
      put("ws/a.txt", "eins\r\nzwei ä\n")
      const outcome = yield* callEntry(readFileEntry(workspaces), { path: "./a.txt" }, turn)
      assert.strictEqual(outcome.output.text, "eins\r\nzwei ä\n")
      assert.deepInclude(dataOf(outcome), { path: "a.txt", characters: 13, total_characters: 13, next_offset: null })
    })
  )

  it.scoped("gives at most 20,000 characters, and offset continues without a gap", () =>
    Effect.gen(function* () {
      const { put, turn, workspaces } = yield* makeScene
      const content = Array.from({ length: 9000 }, (_, index) => `${index} 😀\n`).join("")
      put("ws/big.txt", content)
      let read = ""
      let offset: number | null = 0
      while (offset !== null) {
        const outcome = yield* callEntry(readFileEntry(workspaces), { path: "big.txt", offset }, turn)
        assert.isAtMost(outcome.output.text.length, 20_000)
        const data = dataOf(outcome)
        read += outcome.output.text.slice(0, data["characters"] as number)
        offset = data["next_offset"] as number | null
        assert.strictEqual(data["total_characters"], content.length)
      }
      assert.strictEqual(read, content)
    })
  )

  it.scoped("gives exactly 20,000 characters whole", () =>
    Effect.gen(function* () {
      const { put, turn, workspaces } = yield* makeScene
      put("ws/a", "x".repeat(20_000))
      const outcome = yield* callEntry(readFileEntry(workspaces), { path: "a" }, turn)
      assert.strictEqual(outcome.output.text, "x".repeat(20_000))
    })
  )

  it.scoped("decodes UTF-16 with a mark, and replaces what is no text", () =>
    Effect.gen(function* () {
      const { put, turn, workspaces } = yield* makeScene
      put("ws/le", Buffer.from("\ufeffgrün", "utf16le"))
      put("ws/latin", Buffer.from("gr\xfcn", "latin1"))
      assert.strictEqual((yield* callEntry(readFileEntry(workspaces), { path: "le" }, turn)).output.text, "grün")
      const latin = yield* callEntry(readFileEntry(workspaces), { path: "latin" }, turn)
      assert.strictEqual(latin.output.text, "gr\ufffdn")
      assert.strictEqual(dataOf(latin)["damaged"], true)
    })
  )

  it.scoped("refuses politely what it cannot read", () =>
    Effect.gen(function* () {
      const { put, root, turn, workspace, workspaces } = yield* makeScene
      put("ws/binary", Buffer.from([1, 2, 0, 3]))
      mkdirSync(join(workspace, "folder"))
      execFileSync("truncate", ["-s", "65M", join(workspace, "huge")])
      const reason = (path: string) =>
        Effect.map(Effect.flip(callEntry(readFileEntry(workspaces), { path }, turn)), (error) => error.reason)
      assert.strictEqual(yield* reason("binary"), "binary")
      assert.strictEqual(yield* reason("folder"), "folder")
      assert.strictEqual(yield* reason("huge"), "too_large")
      assert.strictEqual(yield* reason("missing"), "missing")
      execFileSync("mkfifo", [join(workspace, "pipe")])
      const refused = planCall(readFileEntry(workspaces), { path: "pipe" }, turn).plan
      assert.isTrue(refused instanceof PlanRefused && refused.status === "denied")
      const host = planCall(readFileEntry(workspaces), { path: join(root, "host/key") }, turn).plan
      assert.isTrue(host instanceof PlanRefused && host.status === "denied")
      const malformed = planCall(readFileEntry(workspaces), { path: "a\0b" }, turn).plan
      assert.isTrue(malformed instanceof PlanRefused && malformed.status === "invalid")
    })
  )

  it.scoped("asks about secrets and places outside, and runs unasked inside", () =>
    Effect.gen(function* () {
      const { put, root, turn, workspaces } = yield* makeScene
      put("ws/.env", "X=1")
      put("out/a", "x")
      const plan = (path: string) => {
        const { plan } = planCall(readFileEntry(workspaces), { path }, turn)
        return plan instanceof PlanRefused
          ? plan.status
          : `${plan.policy} ${plan.risk} ${plan.sessionCacheable} ${plan.target}`
      }
      assert.strictEqual(plan("a.txt"), "auto low true a.txt")
      assert.strictEqual(plan(".env"), "prompt high false .env")
      assert.strictEqual(plan(join(root, "out/a")), `prompt high true ${root}/out/a`)
    })
  )

  it.scoped("does not follow what changed between the question and the deed", () =>
    Effect.gen(function* () {
      const { put, root, turn, workspace, workspaces } = yield* makeScene
      const entry = readFileEntry(workspaces)
      put("out/secret", "secret")
      put("ws/a/b.txt", "fine")
      const swaps: ReadonlyArray<() => void> = [
        () => {
          rmSync(join(workspace, "a/b.txt"))
          symlinkSync(join(root, "out/secret"), join(workspace, "a/b.txt"))
        },
        () => {
          renameSync(join(workspace, "a"), join(workspace, "c"))
          put("out/dir/b.txt", "secret")
          symlinkSync(join(root, "out/dir"), join(workspace, "a"))
        },
        () => {
          rmSync(join(workspace, "a/b.txt"))
          execFileSync("ln", [join(root, "out/secret"), join(workspace, "a/b.txt")])
        },
        () => {
          rmSync(join(workspace, "a/b.txt"))
          execFileSync("mkfifo", [join(workspace, "a/b.txt")])
        }
      ]
      for (const swap of swaps) {
        rmSync(join(workspace, "a"), { recursive: true, force: true })
        rmSync(join(workspace, "c"), { recursive: true, force: true })
        mkdirSync(join(workspace, "a"))
        writeFileSync(join(workspace, "a/b.txt"), "fine")
        const call = planCall(entry, { path: "a/b.txt" }, turn)
        swap()
        const error = yield* Effect.flip(call.run)
        assert.include(["changed", "special"], error.reason)
      }
    })
  )
})
