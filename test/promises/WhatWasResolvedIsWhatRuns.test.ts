/** Promise 2: the definitions that the model sees and the reference that is executed come from one frozen table. */

import { readFileSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { EffectRequest } from "@gatehouse/core/EffectRequest"
import { CallId } from "@gatehouse/core/Identifiers"
import { isJsonObject } from "@gatehouse/core/Json"
import { EffectRuntime } from "@gatehouse/host/runtime/EffectRuntime"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { admitTestTurn, generousCore, withHost } from "../support/TestHost.ts"

const echo = (word: string) => `export const execute = () => "${word}"\n`
const echoCore = {
  "agent/tools/echo/tool.yaml": "description: Says a word.\napproval_policy: auto\nrisk: low\n",
  "agent/tools/echo/module.mjs": echo("first")
}

const reasonOf = (result: { readonly error: unknown }): unknown =>
  typeof result.error === "object" && result.error !== null && "reason" in result.error ? result.error.reason : null

describe("only a request of the turn's own catalog is executed", () => {
  it.live("a bare name with arguments is refused", () =>
    withHost({}, ({ turn }) =>
      Effect.gen(function* () {
        const runtime = yield* EffectRuntime
        const lookAlike: EffectRequest = Object.create(EffectRequest.prototype, {
          callId: { value: "call" },
          name: { value: "read_file" },
          arguments: { value: { path: "README.md" } }
        })
        const result = yield* runtime.execute(lookAlike, turn.context)
        assert.deepStrictEqual(
          [result.status, reasonOf(result), result.executionStarted],
          ["invalid", "foreign", false]
        )
      })
    )
  )

  it.live("a request of another turn is refused before capability, approval and adapter", () =>
    withHost({ answers: ["allow"] }, ({ place, turn }) =>
      Effect.gen(function* () {
        const runtime = yield* EffectRuntime
        writeFileSync(join(place.core, "agent.yaml"), generousCore.replace("id: test", "id: other"))
        const other = yield* admitTestTurn(place)
        const ref = turn.catalog.resolve("write_file")
        assert.isNotNull(ref)
        const request = Either.getOrThrow(turn.catalog.request(ref, { path: "x", content: "y" }, CallId("c")))
        const result = yield* runtime.execute(request, other.context)
        assert.deepStrictEqual([result.status, result.error?.stage], ["invalid", "binding"])
        assert.strictEqual(place.asked.length, 0)
      })
    )
  )

  it.live("a turn that is over owns no requests", () =>
    withHost({}, ({ place }) =>
      Effect.gen(function* () {
        const ended = yield* Effect.scoped(admitTestTurn(place))
        const result = yield* executeCall(ended, "list_files", {})
        assert.deepStrictEqual([result.status, reasonOf(result)], ["invalid", "foreign"])
      })
    )
  )
})

describe("what changes on disk counts for the next turn", () => {
  it.live("a definition stays as it was shown, and the next turn has the new one", () =>
    withHost({ core: echoCore }, ({ place, turn }) =>
      Effect.gen(function* () {
        const before = turn.catalog.definitions.find(({ name }) => name === "echo")
        writeFileSync(
          join(place.core, "agent/tools/echo/tool.yaml"),
          "description: Says another word.\napproval_policy: auto\n"
        )
        assert.strictEqual(
          turn.catalog.definitions.find(({ name }) => name === "echo"),
          before
        )
        assert.strictEqual(before?.description, "Says a word.")
        const next = yield* admitTestTurn(place)
        assert.strictEqual(
          next.catalog.definitions.find(({ name }) => name === "echo")?.description,
          "Says another word."
        )
        assert.notStrictEqual(next.catalog.id, turn.catalog.id)
      })
    )
  )

  it.live("a module that was changed after the catalog froze is not run", () =>
    withHost({ core: echoCore }, ({ place, turn }) =>
      Effect.gen(function* () {
        writeFileSync(join(place.core, "agent/tools/echo/module.mjs"), echo("second"))
        const result = yield* executeCall(turn, "echo", {})
        assert.strictEqual(result.status, "failed")
        assert.notInclude(result.views.model.text, "second")
        const next = yield* admitTestTurn(place)
        assert.include((yield* executeCall(next, "echo", {})).views.model.text, "second")
      })
    )
  )

  it.live("a grant that was taken away on disk still holds in the turn, one that was added does not", () =>
    withHost({}, ({ place, turn }) =>
      Effect.gen(function* () {
        writeFileSync(join(place.core, "agent.yaml"), "agent:\n  id: test\ntools:\n  toolsets: [coding]\n")
        assert.strictEqual((yield* executeCall(turn, "list_files", {})).status, "succeeded")
        const next = yield* admitTestTurn(place)
        assert.strictEqual((yield* executeCall(next, "list_files", {})).status, "denied")
        writeFileSync(join(place.core, "agent.yaml"), generousCore)
        assert.strictEqual((yield* executeCall(next, "list_files", {})).status, "denied")
      })
    )
  )
})

describe("one entry", () => {
  it.live("is what tools_list tells, what the definitions tell, and what runs", () =>
    withHost({ core: echoCore }, ({ turn }) =>
      Effect.gen(function* () {
        const listed = yield* executeCall(turn, "tools_list", {})
        assert.strictEqual(listed.status, "succeeded")
        const data = listed.views.model.data
        const tools = isJsonObject(data) && Array.isArray(data["tools"]) ? data["tools"] : []
        for (const entry of turn.catalog.entries) {
          const told = tools.find((tool) => isJsonObject(tool) && tool["name"] === entry.name)
          assert.isTrue(isJsonObject(told), entry.name)
          if (isJsonObject(told)) {
            assert.deepStrictEqual([told["risk"], told["capability"]], [entry.risk, entry.capability])
          }
          assert.strictEqual(
            turn.catalog.definitions.find(({ name }) => name === entry.name)?.inputSchema,
            entry.inputSchema
          )
        }
      })
    )
  )

  it.live("that is disabled is in no list and cannot be called", () =>
    withHost(
      {
        core: {
          "agent.yaml": generousCore.replace(
            "toolsets: [coding, control]",
            "toolsets: [coding, control]\n  metadata:\n    terminal: {enabled: false}"
          )
        }
      },
      ({ turn }) =>
        Effect.gen(function* () {
          assert.isUndefined(turn.catalog.definitions.find(({ name }) => name === "terminal"))
          const hidden = yield* executeCall(turn, "terminal", { command: "true" })
          const missing = yield* executeCall(turn, "no_such_tool", {})
          assert.strictEqual(hidden.status, "not_found")
          assert.strictEqual(hidden.views.model.text, missing.views.model.text)
          assert.isFalse(hidden.executionStarted)
        })
    )
  )
})

describe("what the plan resolved is what the adapter uses", () => {
  it.live("a link that was turned around between question and deed is not followed", () =>
    Effect.gen(function* () {
      const seen = yield* withHost(
        { workspace: { "real.md": "inside", "note.md": "" }, answers: ["allow"] },
        ({ place, turn }) =>
          Effect.gen(function* () {
            unlinkSync(join(place.workspace, "note.md"))
            symlinkSync(join(place.workspace, "real.md"), join(place.workspace, "note.md"))
            writeFileSync(join(place.root, "outside.md"), "outside")
            const call = executeCall(turn, "write_file", { path: "note.md", content: "written" })
            const turnAround = Effect.sync(() => {
              if (place.asked.length === 0) return false
              unlinkSync(join(place.workspace, "note.md"))
              symlinkSync(join(place.root, "outside.md"), join(place.workspace, "note.md"))
              return true
            })
            const answered = place.asked
            const original = answered.push.bind(answered)
            answered.push = (...prompts) => {
              const count = original(...prompts)
              Effect.runSync(turnAround)
              return count
            }
            const result = yield* call
            return {
              status: result.status,
              outside: yield* Effect.sync(() => readFileSync(join(place.root, "outside.md"), "utf8"))
            }
          })
      )
      assert.strictEqual(seen.outside, "outside")
      assert.include(["failed", "succeeded"], seen.status)
    })
  )
})
