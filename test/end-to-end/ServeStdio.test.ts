/** `gatehouse serve` as a client meets it: the built command, real processes, real servers. */

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { vi } from "vitest"
import { fixture } from "../mcp/Harness.ts"
import { type Heard, startServe } from "../support/StdioClient.ts"
import { type TestHost, type TestHostOptions, testPlace } from "../support/TestHost.ts"

const autoCore = `agent:
  id: test
tools:
  toolsets: [coding, control]
capabilities:
  defaults:
    fs.read: {scope: workspace}
    fs.write: {scope: workspace}
    terminal.exec: {scope: workspace}
    "mcp.connect:*": {scope: workspace}
    "mcp.call:*": {scope: workspace}
`

/** Milliseconds to the end: three seconds on a machine of its own, and tests share theirs. */
const endMillis = 8_000

const server = (name: string, more = ""): string =>
  `command: ${JSON.stringify(process.execPath)}\nargs: ${JSON.stringify([fixture(name)])}\napproval_policy: auto\n${more}`

const serving = (options: TestHostOptions = {}) =>
  Effect.gen(function* () {
    const place = yield* testPlace({ ...options, core: { "agent.yaml": autoCore, ...options.core } })
    if (options.settings !== undefined) {
      mkdirSync(place.home, { mode: 0o700 })
      writeFileSync(join(place.home, "settings.yaml"), options.settings)
    }
    const client = yield* startServe(argsOf(place), { GATEHOUSE_TEST_CLIENT: place.root })
    return { place, client }
  })

const argsOf = ({ core, home, workspace }: TestHost): ReadonlyArray<string> => [
  "--core",
  core,
  "--home",
  home,
  "--workspace",
  workspace
]

/** What another process of this person does with the home. */
const inHome = <A, E>(place: TestHost, use: Effect.Effect<A, E, HomeServices>): Effect.Effect<A, unknown> =>
  Effect.provide(use, Layer.provideMerge(controlPlaneLayer, homeLayer(place.home)))

type HomeServices = Layer.Layer.Success<typeof controlPlaneLayer>

/** Answers the first open question of the home, once there is one. */
const answerFirst = (place: TestHost, answer: "allow" | "deny") =>
  inHome(
    place,
    Effect.gen(function* () {
      const records = yield* ApprovalRecords
      const operator = yield* (yield* Principals).operator("test")
      while (true) {
        const [first] = yield* records.list(operator, "pending")
        if (first !== undefined) return yield* records.answer(operator, first.approval.id, answer, "test")
        yield* Effect.sleep("50 millis")
      }
    })
  )

/** How the calls of the home ended. */
const endings = (place: TestHost) =>
  inHome(
    place,
    Effect.gen(function* () {
      const operator = yield* (yield* Principals).operator("test")
      const events = yield* (yield* EventLog).read(operator, {})
      return events
        .flatMap(({ data, type }) =>
          type === "effect.settled" ? [typeof data === "string" ? data : JSON.stringify(data)] : []
        )
        .join("\n")
    })
  )

const textOf = ({ result }: Heard): string => {
  const content = result?.["content"]
  return Array.isArray(content) ? String(content[0]?.text) : ""
}

const namesOf = ({ result }: Heard): ReadonlyArray<string> => {
  const tools = result?.["tools"]
  return Array.isArray(tools) ? tools.map(({ name }) => String(name)) : []
}

/** Processes whose environment or command line names the place. */
const processesOf = (place: TestHost): ReadonlyArray<string> =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        const about = readFileSync(`/proc/${pid}/cmdline`, "utf8") + readFileSync(`/proc/${pid}/environ`, "utf8")
        return about.includes(place.root) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
      } catch {
        return false
      }
    })

// Whole processes on a machine that they share with other tests.
vi.setConfig({ testTimeout: 60_000 })

describe("gatehouse serve on standard input and output", () => {
  it.scopedLive("touches nothing before a client asks, whatever it says first", () =>
    Effect.gen(function* () {
      const { client, place } = yield* serving()
      yield* Effect.promise(async () => {
        client.write("no json")
        client.write('{"jsonrpc":"2.0","id":1}')
        const discovered = await client.request(2, "server/discover")
        assert.strictEqual(discovered.error?.code, -32601)
        assert.strictEqual((await client.request(3, "tools/list")).error?.code, -32600)
        assert.include((await client.initialize({}, "2025-03-26")).result, { protocolVersion: "2025-03-26" })
        assert.deepStrictEqual((await client.request(4, "ping")).result, {})
        assert.strictEqual((await client.request(5, "no/such")).error?.code, -32601)
        assert.isFalse(existsSync(place.home), "the home")
        client.child.stdin.end()
        assert.strictEqual((await client.exit()).code, 0)
      })
      assert.isFalse(existsSync(place.home), "the home afterwards")
      assert.deepStrictEqual(client.noise, [])
    })
  )

  it.scopedLive("lists, calls, denies in words, and says what is wrong with arguments", () =>
    Effect.gen(function* () {
      const { client } = yield* serving({ workspace: { "note.txt": "hello" } })
      yield* Effect.promise(async () => {
        await client.initialize()
        assert.include(namesOf(await client.request(1, "tools/list")), "read_file")
        assert.include(
          textOf(await client.request(2, "tools/call", { name: "read_file", arguments: { path: "note.txt" } })),
          "hello"
        )
        const wrong = await client.request(3, "tools/call", { name: "read_file", arguments: { path: 5 } })
        assert.include(wrong.result, { isError: true })
        assert.include(JSON.stringify(wrong.result), '"status":"invalid"')
        const unknown = await client.request(4, "tools/call", { name: "nothing" })
        assert.include(JSON.stringify(unknown.result), '"status":"not_found"')
        assert.strictEqual((await client.request(5, "tools/call", { name: 5 })).error?.code, -32602)
        assert.strictEqual((await client.request(6, "tools/call", { name: "x", arguments: [] })).error?.code, -32602)
        assert.strictEqual((await client.request(7, "tools/list", { cursor: "made up" })).error?.code, -32602)
      })
    })
  )

  it.scopedLive("bounds a line of a hundred megabytes, answers it by its id, and goes on", () =>
    Effect.gen(function* () {
      const { client } = yield* serving()
      yield* Effect.promise(async () => {
        await client.initialize()
        const piece = Buffer.alloc(1024 * 1024, "x")
        client.child.stdin.write('{"method":"tools/call","params":{"name":"')
        for (let index = 0; index < 100; index++) {
          if (!client.child.stdin.write(piece))
            await new Promise((resolve) => client.child.stdin.once("drain", resolve))
        }
        client.write('"},"jsonrpc":"2.0","id":41}')
        const refused = await client.hear(({ id }) => id === 41)
        assert.strictEqual(refused.error?.code, -32600)
        assert.deepStrictEqual((await client.request(42, "ping")).result, {})
        const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${client.child.pid}/status`, "utf8"))?.[1])
        assert.isBelow(peak / 1024, 300, "MiB at the peak")
      })
    })
  )

  it.scopedLive("cancels a command with its whole tree, by id zero, while others wait", () =>
    Effect.gen(function* () {
      const { client, place } = yield* serving()
      yield* Effect.promise(async () => {
        await client.initialize()
        await client.request("list", "tools/list")
        client.write({
          jsonrpc: "2.0",
          id: 0,
          method: "tools/call",
          params: { name: "terminal", arguments: { command: "sleep 61 & sleep 62" } }
        })
      })
      yield* answerFirst(place, "allow")
      yield* Effect.promise(async () => {
        const runs = (): boolean => /sleep6[12]/.test(commandLines().replaceAll("\0", ""))
        for (let attempt = 0; attempt < 100 && !runs(); attempt++) await pause(50)
        assert.isTrue(runs(), "the command runs")
        client.write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } })
        for (let attempt = 0; attempt < 60 && runs(); attempt++) await pause(50)
        assert.isFalse(runs(), "nothing of it is left")
        assert.deepStrictEqual((await client.request("p", "ping")).result, {})
        assert.isUndefined(
          client.heard.find(({ id }) => id === 0),
          "a cancelled request has no answer"
        )
      })
      assert.include(yield* endings(place), '"status":"cancelled"')
    })
  )

  for (const [how, end] of [
    ["the end of input", "end"],
    ["SIGINT", "SIGINT"],
    ["SIGTERM", "SIGTERM"]
  ] as const) {
    it.scopedLive(`ends within three seconds at ${how}: calls are settled, and no process is left`, () =>
      Effect.gen(function* () {
        const { client, place } = yield* serving({ core: { "agent/mcp/deaf.yaml": server("signal-ignored") } })
        yield* Effect.promise(async () => {
          await client.initialize()
          client.write({ jsonrpc: "2.0", id: 1, method: "tools/list" })
        })
        yield* answerFirst(place, "allow")
        yield* Effect.promise(async () => {
          await client.hear(({ id }) => id === 1)
          client.write({
            jsonrpc: "2.0",
            id: 2,
            method: "tools/call",
            params: { name: "terminal", arguments: { command: "sleep 63" } }
          })
        })
        yield* Effect.promise(async () => {
          for (let attempt = 0; attempt < 100 && !commandLines().includes("sleep\u000063"); attempt++) await pause(100)
          assert.isAbove(processesOf(place).length, 2, "the command, the server and the endpoint")
          if (end === "end") client.child.stdin.end()
          else client.child.kill(end)
          const { millis } = await client.exit()
          assert.isBelow(millis, endMillis)
        })
        assert.deepStrictEqual(processesOf(place), [])
        assert.include(yield* endings(place), '"status":"cancelled"')
        assert.deepStrictEqual(client.noise, [])
      })
    )
  }

  it.scopedLive("tells the client once that the core's list changed, and only where it did", () =>
    Effect.gen(function* () {
      const { client, place } = yield* serving()
      yield* Effect.promise(async () => {
        await client.initialize()
        const before = namesOf(await client.request(1, "tools/list"))
        assert.include(before, "write_file")
        writeFileSync(
          join(place.core, "agent.yaml"),
          autoCore.replace("toolsets: [coding, control]", "toolsets: [control]")
        )
        await client.hear(({ method }) => method === "notifications/tools/list_changed")
        await pause(1_500)
        assert.strictEqual(client.heard.filter(({ method }) => method !== undefined).length, 1)
        assert.notInclude(namesOf(await client.request(2, "tools/list")), "write_file")
        writeFileSync(
          join(place.core, "agent.yaml"),
          `${autoCore.replace("[coding, control]", "[control]")}\n# a comment\n`
        )
        await pause(2_500)
        assert.strictEqual(client.heard.filter(({ method }) => method !== undefined).length, 1)
      })
    })
  )

  it.scopedLive("serves what is there while a server waits for its approval, and tells when it came", () =>
    Effect.gen(function* () {
      const { client, place } = yield* serving({ core: { "agent/mcp/echo.yaml": server("progress") } })
      yield* Effect.promise(async () => {
        await client.initialize()
        const begun = performance.now()
        const first = await client.request(1, "tools/list", { _meta: { progressToken: "t" } })
        assert.isBelow(performance.now() - begun, 12_000)
        assert.include(namesOf(first), "read_file")
        const note = client.heard.find(({ method }) => method === "notifications/progress")
        assert.match(String(note?.params?.["message"]), /approvals allow approval_/)
      })
      yield* answerFirst(place, "allow")
      yield* Effect.promise(async () => {
        await client.hear(({ method }) => method === "notifications/tools/list_changed")
        assert.isTrue(namesOf(await client.request(2, "tools/list")).some((name) => name.startsWith("echo__")))
      })
    })
  )

  it.scopedLive("says how a waiting call is answered, and denies it when it was", () =>
    Effect.gen(function* () {
      const { client, place } = yield* serving()
      yield* Effect.promise(async () => {
        await client.initialize()
        client.write({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "write_file", arguments: { path: "a.txt", content: "a" }, _meta: { progressToken: 7 } }
        })
        const note = await client.hear(({ method }) => method === "notifications/progress")
        assert.strictEqual(note.params?.["progressToken"], 7)
        assert.include(String(note.params?.["message"]), `gatehouse --home ${place.home} approvals allow approval_`)
      })
      yield* answerFirst(place, "deny")
      const denied = yield* Effect.promise(() => client.hear(({ id }) => id === 1))
      assert.include(JSON.stringify(denied.result), '"status":"denied"')
      assert.isFalse(existsSync(join(place.workspace, "a.txt")))
    })
  )

  it.scopedLive("asks the client's person only where the owner allows it", () =>
    Effect.gen(function* () {
      const write = { name: "write_file", arguments: { path: "a.txt", content: "a" }, _meta: { progressToken: 7 } }
      const refused = yield* serving()
      yield* Effect.promise(async () => {
        await refused.client.initialize({ capabilities: { elicitation: {} } })
        refused.client.write({ jsonrpc: "2.0", id: 1, method: "tools/call", params: write })
        await refused.client.hear(({ method }) => method === "notifications/progress")
        assert.isUndefined(refused.client.heard.find(({ method }) => method === "elicitation/create"))
      })
      const { client, place } = yield* serving({ settings: "endpoint: {elicitation: allowed}\n" })
      yield* Effect.promise(async () => {
        await client.initialize({ capabilities: { elicitation: {} } })
        client.write({ jsonrpc: "2.0", id: 1, method: "tools/call", params: write })
        const asked = await client.hear(({ method }) => method === "elicitation/create")
        assert.include(String(asked.params?.["message"]), "write_file")
        client.write({ jsonrpc: "2.0", id: asked.id, result: { action: "accept", content: { answer: "allow" } } })
        assert.include((await client.hear(({ id }) => id === 1)).result, { isError: false })
      })
      assert.strictEqual(readFileSync(join(place.workspace, "a.txt"), "utf8"), "a")
    })
  )

  it.scopedLive("holds its memory while a client does not read, and still ends", () =>
    Effect.gen(function* () {
      const { client } = yield* serving({ workspace: { "big.txt": "y".repeat(15_000) } })
      yield* Effect.promise(async () => {
        await client.initialize()
        await client.request("list", "tools/list")
        client.child.stdout.pause()
        for (let id = 0; id < 600; id++) {
          client.write({
            jsonrpc: "2.0",
            id,
            method: "tools/call",
            params: { name: "read_file", arguments: { path: "big.txt" } }
          })
        }
        await pause(6_000)
        const size = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${client.child.pid}/status`, "utf8"))?.[1])
        assert.isBelow(size / 1024, 400, "MiB")
        client.child.kill("SIGTERM")
        assert.isBelow((await client.exit()).millis, endMillis)
      })
    })
  )
})

const commandLines = (): string =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8")
      } catch {
        return ""
      }
    })
    .join("\n")

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))
