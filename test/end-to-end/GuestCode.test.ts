/** Careless code of authored tools in the built command: it stays its own call's matter. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { startServe } from "../support/StdioClient.ts"
import { testPlace } from "../support/TestHost.ts"

const manifest = "description: A tool\nrisk: low\napproval_policy: auto\n"

const careless = {
  prints: 'console.log("at import")\nexport const execute = () => { console.error("printed"); return "done" }',
  exits: "export const execute = () => process.exit(0)",
  exits_at_import: "process.exit(0)",
  throws_later: `export const execute = () => {
    setTimeout(() => { throw new Error("from a timer") }, 10)
    return new Promise(() => {})
  }`,
  rejects: 'export const execute = () => { Promise.reject(new Error("unawaited")); return new Promise(() => {}) }',
  throws_afterwards: `export const execute = () => {
    setTimeout(() => { console.log("late print"); throw new Error("late words") }, 200)
    return "done"
  }`,
  throws_a_trap: `export const execute = () => {
    throw new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })
  }`
}

describe("the code of authored tools in the gatehouse process", () => {
  it.scopedLive("prints into its own output, fails its own call, and ends neither the process nor the protocol", () =>
    Effect.gen(function* () {
      const place = yield* testPlace({
        core: {
          "agent.yaml": "agent:\n  id: test\n",
          ...Object.fromEntries(
            Object.entries(careless).flatMap(([id, module]) => [
              [`agent/tools/${id}/tool.yaml`, manifest],
              [`agent/tools/${id}/module.mjs`, module]
            ])
          )
        }
      })
      const client = yield* startServe(["--core", place.core, "--home", place.home, "--workspace", place.workspace])
      const texts: Record<string, string> = {}
      yield* Effect.promise(() => client.initialize())
      for (const name of Object.keys(careless)) {
        const { result } = yield* Effect.promise(() => client.request(name, "tools/call", { name, arguments: {} }))
        texts[name] = JSON.stringify(result)
      }
      assert.include(texts["prints"] ?? "", "at import\\nprinted\\ndone")
      assert.include(texts["exits"] ?? "", "process.exit is the host's")
      assert.include(texts["exits_at_import"] ?? "", "process.exit is the host's")
      assert.include(texts["throws_later"] ?? "", "from a timer")
      assert.include(texts["rejects"] ?? "", "unawaited")
      assert.include(texts["throws_a_trap"] ?? "", "failed at adapter: the tool failed")
      yield* Effect.sleep("600 millis")
      yield* Effect.promise(() => client.request("alive", "ping"))
      assert.deepStrictEqual(client.noise, [])
      assert.include(client.stderr(), "the tool throws_afterwards threw after its call had ended")
      assert.notInclude(client.stderr(), "late")
      client.child.stdin.end()
      const { code } = yield* Effect.promise(() => client.exit())
      assert.strictEqual(code, 0)
    })
  )
})
