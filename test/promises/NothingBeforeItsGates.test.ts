/** Promise 1: no module imported, process spawned, file changed or socket opened before what covers it. */

import { existsSync, readFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import * as Effect from "effect/Effect"
import { callIn, generousCore, type TestHostOptions, withHost } from "../support/TestHost.ts"

const witnessTool = {
  "agent/tools/witness/tool.yaml": `description: Leaves a file behind when it is imported.
capability: witness.call
approval_policy: prompt
input_schema: {type: object, properties: {n: {type: integer}}, additionalProperties: false}
`,
  "agent/tools/witness/module.mjs": `import { writeFileSync } from "node:fs"
writeFileSync(new URL("./imported", import.meta.url), "")
export const execute = () => "done"
`
}
const granted = `${generousCore}    witness.call: {scope: workspace}\n`
const imported = (core: string): boolean => existsSync(join(core, "agent/tools/witness/imported"))

const witnessed = (options: TestHostOptions, args: unknown = {}) =>
  withHost({ ...options, core: { ...witnessTool, ...options.core } }, ({ place, turn }) =>
    Effect.map(executeCall(turn, "witness", args), (result) => ({
      status: result.status,
      started: result.executionStarted,
      stage: result.error?.stage ?? null,
      imported: imported(place.core),
      asked: place.asked.length
    }))
  )

describe("an authored module is not imported", () => {
  it.live("before its arguments fit", () =>
    Effect.map(witnessed({ core: { "agent.yaml": granted }, answers: ["allow"] }, { n: "three" }), (seen) =>
      assert.deepStrictEqual(seen, { status: "invalid", started: false, stage: "binding", imported: false, asked: 0 })
    )
  )
  it.live("before its capability is granted, and then nobody is asked either", () =>
    Effect.map(witnessed({ answers: ["allow"] }), (seen) =>
      assert.deepStrictEqual(seen, { status: "denied", started: false, stage: "capability", imported: false, asked: 0 })
    )
  )
  it.live("before it is approved", () =>
    Effect.map(witnessed({ core: { "agent.yaml": granted }, answers: ["deny"] }), (seen) =>
      assert.deepStrictEqual(seen, { status: "denied", started: false, stage: "approval", imported: false, asked: 1 })
    )
  )
  it.live("where nobody can be asked", () =>
    Effect.map(witnessed({ core: { "agent.yaml": granted }, answers: null }), (seen) =>
      assert.deepStrictEqual(seen, { status: "denied", started: false, stage: "approval", imported: false, asked: 0 })
    )
  )
  it.live("and is, once it is allowed", () =>
    Effect.map(witnessed({ core: { "agent.yaml": granted }, answers: ["allow"] }), (seen) =>
      assert.deepStrictEqual(seen, { status: "succeeded", started: true, stage: null, imported: true, asked: 1 })
    )
  )
})

describe("a file is not changed", () => {
  const write = { path: "notes.md", content: "new" }
  it.live("before the write is approved", () =>
    withHost({ workspace: { "notes.md": "old" }, answers: ["deny"] }, ({ place, turn }) =>
      Effect.map(executeCall(turn, "write_file", write), (result) => {
        assert.strictEqual(result.status, "denied")
        assert.strictEqual(readFileSync(join(place.workspace, "notes.md"), "utf8"), "old")
      })
    )
  )
  it.live("outside the workspace, whatever the answer would be", () =>
    withHost({ answers: ["allow"] }, ({ place, turn }) =>
      Effect.map(executeCall(turn, "write_file", { path: "../stray.md", content: "new" }), (result) => {
        assert.strictEqual(result.status, "denied")
        assert.isFalse(existsSync(join(place.root, "stray.md")))
        assert.strictEqual(place.asked.length, 0)
      })
    )
  )
})

describe("a command is not run", () => {
  it.live("before it is approved", () =>
    withHost({ answers: ["deny"] }, ({ place, turn }) =>
      Effect.map(executeCall(turn, "terminal", { command: "touch made" }), (result) => {
        assert.strictEqual(result.status, "denied")
        assert.isFalse(result.executionStarted)
        assert.isFalse(existsSync(join(place.workspace, "made")))
        assert.strictEqual(place.asked.length, 1)
      })
    )
  )
  it.live("where it is known ruin: it is blocked, and nobody is asked", () =>
    withHost({ answers: ["allow"] }, ({ place, turn }) =>
      Effect.map(executeCall(turn, "terminal", { command: "sh -c 'rm -rf /'" }), (result) => {
        assert.strictEqual(result.status, "denied")
        assert.strictEqual(result.error?.stage, "preflight")
        assert.strictEqual(place.asked.length, 0)
      })
    )
  )
})

describe("a socket is not opened", () => {
  const listener = Effect.acquireRelease(
    Effect.async<{ readonly server: Server; readonly seen: Array<string>; readonly port: number }>((resume) => {
      const seen: Array<string> = []
      const server = createServer((request, response) => {
        seen.push(request.url ?? "")
        response.end("page")
      })
      server.on("connection", () => seen.push("connection"))
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(
          Effect.succeed({ server, seen, port: typeof address === "object" && address !== null ? address.port : 0 })
        )
      })
    }),
    ({ server }) => Effect.sync(() => server.close())
  )
  const openNetwork = "network:\n  private_addresses: allowed\n"

  it.scopedLive("before the page is approved", () =>
    Effect.gen(function* () {
      const { port, seen } = yield* listener
      const url = `http://127.0.0.1:${port}/`
      const denied = yield* callIn({ settings: openNetwork, answers: ["deny"] }, "web_extract", { url })
      assert.strictEqual(denied.status, "denied")
      assert.deepStrictEqual(seen, [])
      const allowed = yield* callIn({ settings: openNetwork, answers: ["allow"] }, "web_extract", { url })
      assert.strictEqual(allowed.status, "succeeded")
      assert.deepStrictEqual(seen, ["connection", "/"])
    })
  )
  it.live("to an address that is refused by its text: nobody is asked", () =>
    withHost({ answers: ["allow"] }, ({ place, turn }) =>
      Effect.map(executeCall(turn, "web_extract", { url: "http://169.254.169.254/latest/meta-data/" }), (result) => {
        assert.strictEqual(result.status, "denied")
        assert.strictEqual(place.asked.length, 0)
      })
    )
  )
})

describe("a secret is not read", () => {
  const core = { "agent.yaml": `${generousCore}    secret.bind:SERVICE_TOKEN: {scope: workspace}\n` }
  const args = {
    command: 'test -n "$SERVICE_TOKEN" && echo has it',
    secret_bindings: [{ source: "env:SERVICE_TOKEN", target: "SERVICE_TOKEN", expires_in_seconds: 10 }]
  }
  it.live("before the call is approved, and is masked afterwards", () =>
    Effect.gen(function* () {
      const environment = { SERVICE_TOKEN: "canary-0123456789" }
      const denied = yield* callIn({ core, environment, answers: ["deny"] }, "terminal", args)
      assert.strictEqual(denied.status, "denied")
      const leak = { ...args, command: "echo got $SERVICE_TOKEN" }
      const allowed = yield* callIn({ core, environment, answers: ["allow"] }, "terminal", leak)
      assert.strictEqual(allowed.status, "succeeded")
      assert.notInclude(JSON.stringify(allowed.views), "canary-0123456789")
      assert.include(allowed.views.model.text, "got <redacted:SERVICE_TOKEN>", allowed.views.model.text)
    })
  )
})
