import { chmodSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { patchEntry } from "@gatehouse/adapters/builtin/files/Patch"
import { replaceExactly } from "@gatehouse/adapters/builtin/files/Replacement"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "fast-check"
import { callEntry, planCall } from "../support/CallEntry.ts"
import { makeScene } from "../support/Scene.ts"

describe("patch", () => {
  it.scoped("replaces one piece, keeps mode, line ends and byte order mark, and shows a diff", () =>
    Effect.gen(function* () {
      const { put, turn, workspace, workspaces } = yield* makeScene
      put("ws/run.sh", "\ufeffone\r\ntwo\r\nthree")
      chmodSync(join(workspace, "run.sh"), 0o755)
      const outcome = yield* callEntry(
        patchEntry(workspaces),
        { path: "run.sh", old: "one\ntwo", new: "1\n2\n2b" },
        turn
      )
      assert.strictEqual(readFileSync(join(workspace, "run.sh"), "utf8"), "\ufeff1\r\n2\r\n2b\r\nthree")
      assert.strictEqual(statSync(join(workspace, "run.sh")).mode & 0o777, 0o755)
      assert.include(outcome.output.operator?.text ?? "", "--- run.sh\n+++ run.sh\n@@ ")
      assert.include(outcome.output.text, "+3 -2 lines")
    })
  )

  it.scoped("refuses what stands nowhere, in several places, or in no text", () =>
    Effect.gen(function* () {
      const { put, turn, workspace, workspaces } = yield* makeScene
      put("ws/a", "x x")
      put("ws/b", Buffer.from([0, 1]))
      put("ws/c", Buffer.from([0xff, 0x41]))
      const rule = (args: { path: string; old: string; new: string; all?: boolean }) => {
        const { plan } = planCall(patchEntry(workspaces), args, turn)
        return plan instanceof PlanRefused ? `${plan.status} ${plan.rule}` : "planned"
      }
      assert.strictEqual(rule({ path: "a", old: "y", new: "" }), "invalid patch.not_found")
      assert.strictEqual(rule({ path: "a", old: "x", new: "y" }), "invalid patch.ambiguous")
      assert.strictEqual(rule({ path: "a", old: "x", new: "y", all: true }), "planned")
      assert.strictEqual(rule({ path: "a", old: "x x", new: "x x" }), "invalid patch.nothing_changes")
      assert.strictEqual(rule({ path: "b", old: "x", new: "y" }), "invalid file.binary")
      assert.strictEqual(rule({ path: "c", old: "A", new: "y" }), "invalid file.binary")
      assert.strictEqual(rule({ path: "missing", old: "x", new: "y" }), "invalid file.missing")
      assert.strictEqual(readFileSync(join(workspace, "a"), "utf8"), "x x")
    })
  )

  it.scoped("does not tell before the approval whether a delicate file holds a text", () =>
    Effect.gen(function* () {
      const { put, turn, workspaces } = yield* makeScene
      put("ws/.env", "TOKEN=abc\n")
      const entry = patchEntry(workspaces)
      const right = planCall(entry, { path: ".env", old: "TOKEN=a", new: "TOKEN=x" }, turn)
      const wrong = planCall(entry, { path: ".env", old: "TOKEN=b", new: "TOKEN=x" }, turn)
      assert.isFalse(right.plan instanceof PlanRefused)
      assert.isFalse(wrong.plan instanceof PlanRefused)
      assert.strictEqual((yield* Effect.flip(wrong.run)).reason, "not_found")
      yield* right.run
    })
  )
})

describe("replaceExactly", () => {
  const piece = FastCheck.constantFrom("a", "b", "\n", "$&", "\u{1f600}")
  const text = FastCheck.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""))

  it("puts the new text where the old one stood, and touches nothing else", () => {
    FastCheck.assert(
      FastCheck.property(text, text, text, text, FastCheck.boolean(), (before, old, fresh, after, crlf) => {
        const ends = (value: string) => (crlf ? value.replaceAll("\n", "\r\n") : value)
        // A line end on both sides, so that the place has a kind of line end to keep.
        const whole = (middle: string) => ends(`${before}\n#${middle}#\n${after}`)
        const replaced = replaceExactly(whole(old), `#${old}#`, `#${fresh}#`, false)
        if (old === fresh) assert.deepStrictEqual(replaced, Either.left({ kind: "nothing_changes" }))
        else assert.deepStrictEqual(replaced, Either.right({ text: whole(fresh), count: 1 }))
      })
    )
  })
})
