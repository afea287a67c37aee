import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { commandCheck } from "@gatehouse/host/check/Command"
import * as Effect from "effect/Effect"
import { kinds, loadCases } from "../../../../test/vectors/run.mjs"

describe("gatehouse check command", () => {
  it.effect("answers the shared cases", () =>
    Effect.gen(function* () {
      const faults: Array<string> = []
      for (const test of loadCases("command-review")) {
        const output = yield* commandCheck.decide(test.input)
        for (const fault of kinds["command-review"].compare(test, output)) faults.push(`${test.id} ${fault}`)
      }
      assert.deepStrictEqual(faults, [])
    })
  )

  it.effect("says which word asks, and how long it took", () =>
    Effect.gen(function* () {
      const output = yield* commandCheck.decide({ command: "sort -uo out.txt in.txt" })
      assert.deepInclude(output, {
        decision: "prompt",
        risk: "medium",
        class: "mutation",
        because: [{ text: "-uo", start: 5, end: 8, rule: "sort -o writes a file" }]
      })
      assert.isNumber(Object.entries(output ?? {}).find(([name]) => name === "micros")?.[1])
    })
  )

  it.effect("looks at a repository where a folder is given", () =>
    Effect.gen(function* () {
      const workspace = mkdtempSync(join(tmpdir(), "gatehouse-check-"))
      yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(workspace, { recursive: true })))
      mkdirSync(join(workspace, ".git"))
      writeFileSync(join(workspace, ".git/HEAD"), "ref: refs/heads/main\n")
      const ask = commandCheck.decide({ command: "git status", workspace })
      assert.deepInclude(yield* ask, { decision: "allow" })
      writeFileSync(join(workspace, ".git/config"), "[core]\n\tfsmonitor = ./x\n")
      assert.deepInclude(yield* ask, { decision: "prompt" })
      assert.deepInclude(yield* commandCheck.decide({ command: "git status" }), { decision: "allow" })
    }).pipe(Effect.scoped)
  )

  it.effect("refuses what is no question, by the name of the field", () =>
    Effect.gen(function* () {
      for (const [input, field] of [
        [{}, "command"],
        [{ command: 1 }, "command"],
        [{ command: "ls", cwd: "src" }, "cwd"],
        [{ command: "ls", comand: "ls" }, "comand"],
        [{ command: "ls", env_overlay_keys: "A" }, "env_overlay_keys"]
      ] as const) {
        assert.include((yield* Effect.flip(commandCheck.decide(input))).message, field)
      }
    })
  )
})
