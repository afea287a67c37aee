/** `gatehouse serve --http` as clients meet it: the built command, the SDK's own client, and requests by hand. */
import { spawn, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { request } from "node:http"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { ElicitRequestSchema, ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import { gatehouseProgram } from "../support/StdioClient.ts"
import { type TestHost, type TestHostOptions, testPlace } from "../support/TestHost.ts"

interface Served {
  readonly place: TestHost
  readonly url: URL
  readonly token: string
  readonly stop: () => Promise<{ readonly code: number | null; readonly millis: number }>
}

const placesOf = ({ core, home, workspace }: TestHost): ReadonlyArray<string> => [
  "--core",
  core,
  "--home",
  home,
  "--workspace",
  workspace
]

const serving = (options: TestHostOptions = {}, more: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const place = yield* testPlace(options)
    if (options.settings !== undefined) {
      mkdirSync(place.home, { mode: 0o700 })
      writeFileSync(join(place.home, "settings.yaml"), options.settings)
    }
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [gatehouseProgram, "serve", "--http", "0", ...placesOf(place), ...more])
      ),
      (running) => Effect.sync(() => void running.kill("SIGKILL"))
    )
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
    })
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString()
    })
    yield* Effect.promise(async () => {
      for (let attempt = 0; attempt < 400; attempt++) {
        if (/serving \S+/.test(said) && (more.includes("--without-token") || said.includes("Bearer "))) return
        await pause(100)
      }
      throw new Error(`it does not serve: ${said}`)
    })
    const served: Served = {
      place,
      url: new URL(/serving (\S+)/.exec(said)?.[1] ?? ""),
      token: /Bearer (\S+)/.exec(said)?.[1] ?? "",
      stop: () =>
        new Promise((resolve) => {
          const begun = performance.now()
          child.once("exit", (code) => resolve({ code, millis: performance.now() - begun }))
          child.kill("SIGTERM")
        })
    }
    return served
  })

const connected = async ({ url }: Served, token: string, client = new Client({ name: "test", version: "1" })) => {
  const transport = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { authorization: `Bearer ${token}` } }
  })
  // The SDK's own type is wider than what `exactOptionalPropertyTypes` allows.
  await client.connect(transport as Parameters<Client["connect"]>[0])
  return { client, transport }
}

/** One request by hand, with any header. */
const sent = (
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body = ""
): Promise<{ readonly status: number; readonly headers: Readonly<Record<string, unknown>>; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (response) => {
      let text = ""
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString()
      })
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    asked.on("error", reject)
    asked.end(body)
  })

const post = (token: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  ...more
})

const hello = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } }
})

const pause = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis))

const gatehouse = (place: TestHost, ...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [gatehouseProgram, ...args, "--home", place.home], { encoding: "utf8" })

// Whole processes on a machine that they share with other tests.
vi.setConfig({ testTimeout: 60_000 })

describe("gatehouse serve --http", () => {
  it.scopedLive("lets nobody in without a token of its own, and nobody under a foreign name", () =>
    Effect.gen(function* () {
      const { place, stop, token, url } = yield* serving()
      yield* Effect.promise(async () => {
        for (const file of ["endpoint-token", "endpoint-tokens.json"])
          assert.strictEqual(statSync(join(place.home, file)).mode & 0o777, 0o600, file)
        assert.notInclude(readFileSync(join(place.home, "endpoint-tokens.json"), "utf8"), token)

        assert.strictEqual((await sent(url, "POST", {}, hello)).status, 401)
        assert.strictEqual((await sent(url, "POST", post("wrong"), hello)).status, 401)
        assert.strictEqual((await sent(url, "GET", {})).status, 401)
        assert.strictEqual((await sent(url, "POST", post(token, { host: "evil.example" }), hello)).status, 403)
        assert.strictEqual((await sent(url, "POST", post(token, { origin: "http://evil.example" }), hello)).status, 403)
        assert.strictEqual((await sent(new URL("/healthz", url), "GET", {})).text, "ok\n")
        assert.strictEqual((await sent(new URL("/readyz", url), "GET", {})).text, "ready\n")

        assert.strictEqual((await sent(url, "POST", post(token), "{")).status, 400)
        assert.strictEqual((await sent(url, "POST", post(token), "x".repeat(10 * 1024 * 1024 + 1))).status, 413)
        const discovered = await sent(url, "POST", post(token), '{"jsonrpc":"2.0","id":9,"method":"server/discover"}')
        assert.include(discovered.text, "-32601")
        assert.strictEqual(
          (await sent(url, "POST", post(token), '{"jsonrpc":"2.0","id":9,"method":"ping"}')).status,
          400
        )
        assert.strictEqual((await sent(url, "POST", post(token, { "mcp-session-id": "made-up" }), hello)).status, 404)

        const { code, millis } = await stop()
        assert.strictEqual(code, 0)
        assert.isBelow(millis, 6_000)
      })
    })
  )

  it.scopedLive("serves the SDK's client: lists, calls, progress, cancellation, and a list that changed", () =>
    Effect.gen(function* () {
      const served = yield* serving({ workspace: { "note.txt": "hello" } })
      const { place, token } = served
      yield* Effect.promise(async () => {
        const { client, transport } = await connected(served, token)
        assert.include(
          (await client.listTools()).tools.map(({ name }) => name),
          "read_file"
        )
        const read = await client.callTool({ name: "read_file", arguments: { path: "note.txt" } })
        assert.include(JSON.stringify(read.content), "hello")

        const notes: Array<string | undefined> = []
        const stop = new AbortController()
        const waiting = client
          .callTool({ name: "write_file", arguments: { path: "a.txt", content: "a" } }, undefined, {
            signal: stop.signal,
            onprogress: ({ message }) => void notes.push(message)
          })
          .catch(() => "cancelled")
        while (notes.length === 0) await pause(20)
        assert.match(String(notes[0]), /approvals allow approval_/)
        stop.abort()
        assert.strictEqual(await waiting, "cancelled")
        assert.isFalse(existsSync(join(place.workspace, "a.txt")))

        const changed = new Promise<void>((resolve) =>
          client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve())
        )
        await pause(200)
        writeFileSync(join(place.core, "agent.yaml"), "agent: {id: test}\ntools: {toolsets: [control]}\n")
        await changed
        assert.notInclude(
          (await client.listTools()).tools.map(({ name }) => name),
          "read_file"
        )
        await transport.terminateSession()
        await client.close()
      })
    })
  )

  it.scopedLive("keeps clients apart, and lets a revoked token nowhere", () =>
    Effect.gen(function* () {
      const served = yield* serving({ workspace: { "note.txt": "hello" } })
      const { place, token, url } = served
      yield* Effect.promise(async () => {
        const second = gatehouse(place, "tokens", "create", "ci").stdout.trim()
        const mine = await connected(served, token)
        const theirs = await connected(served, second)
        const ping = JSON.stringify({ jsonrpc: "2.0", id: 77, method: "ping" })
        const session = { "mcp-session-id": mine.transport.sessionId ?? "" }
        assert.strictEqual((await sent(url, "POST", post(second, session), ping)).status, 404)
        assert.strictEqual((await sent(url, "DELETE", post(second, session))).status, 404)
        assert.strictEqual((await sent(url, "POST", post(token, session), ping)).status, 200)

        const hanging = mine.client
          .callTool({ name: "write_file", arguments: { path: "a.txt", content: "a" } })
          .catch(() => null)
        const read = await theirs.client.callTool({ name: "read_file", arguments: { path: "note.txt" } })
        assert.include(JSON.stringify(read.content), "hello")
        const owners = JSON.parse(gatehouse(place, "sessions", "list", "--json").stdout)
        assert.strictEqual(new Set(owners.map(({ owner }: { readonly owner: string }) => owner)).size, 2)

        assert.strictEqual(gatehouse(place, "tokens", "revoke", "ci").status, 0)
        assert.strictEqual((await sent(url, "POST", post(second), hello)).status, 401)
        await mine.client.close()
        await theirs.client.close()
        await hanging
      })
    })
  )

  it.scopedLive("asks the person at the client, over the stream of the call, where the owner allows it", () =>
    Effect.gen(function* () {
      const served = yield* serving({ settings: "endpoint: {elicitation: allowed}\n" })
      yield* Effect.promise(async () => {
        const asking = new Client({ name: "test", version: "1" }, { capabilities: { elicitation: {} } })
        asking.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
          action: "accept",
          content: { answer: params.message.includes("a.txt") ? "allow" : "deny" }
        }))
        const { client } = await connected(served, served.token, asking)
        const write = (path: string) => client.callTool({ name: "write_file", arguments: { path, content: "a" } })
        assert.isFalse((await write("a.txt")).isError)
        assert.isTrue((await write("b.txt")).isError)
        assert.isTrue(existsSync(join(served.place.workspace, "a.txt")))
        assert.isFalse(existsSync(join(served.place.workspace, "b.txt")))
        await client.close()
      })
    })
  )

  it.scopedLive("takes a batch as a stream of answers, and one id once", () =>
    Effect.gen(function* () {
      const { token, url } = yield* serving({ workspace: { "note.txt": "hello" } })
      yield* Effect.promise(async () => {
        const opened = await sent(url, "POST", post(token), hello)
        const session = { "mcp-session-id": String(opened.headers["mcp-session-id"]) }
        const call = (id: unknown) => ({
          jsonrpc: "2.0",
          id,
          method: "tools/call",
          params: { name: "read_file", arguments: { path: "note.txt" } }
        })
        const batch = await sent(url, "POST", post(token, session), JSON.stringify([call(0), call("0")]))
        assert.strictEqual(batch.headers["content-type"], "text/event-stream")
        assert.strictEqual(batch.text.split("hello").length > 2, true)
        assert.strictEqual(
          (await sent(url, "POST", post(token, session), JSON.stringify([call(1), call(1)]))).status,
          400
        )
        const note = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })
        assert.strictEqual((await sent(url, "POST", post(token, session), note)).status, 202)
        assert.strictEqual((await sent(url, "DELETE", post(token, session))).status, 204)
        assert.strictEqual((await sent(url, "POST", post(token, session), note)).status, 404)
      })
    })
  )

  it.scopedLive("says that its port is taken", () =>
    Effect.gen(function* () {
      const { place, url } = yield* serving({}, ["--without-token"])
      const second = gatehouse(place, "serve", "--http", url.host, "--core", place.core)
      assert.include(second.stderr, "is taken by another program")
      assert.strictEqual(second.status, 1)
    })
  )
})
