/**
 * MCP servers under a whole host against the bare SDK client: discovery, a turn without changes, a call, a long list.
 * Servers are one small program, the same for both.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Channel } from "@gatehouse/adapters/mcp/connections/Channel"
import { openStdio } from "@gatehouse/adapters/mcp/connections/StdioChannel"
import { handshake } from "@gatehouse/adapters/mcp/protocol/Handshake"
import { Peer } from "@gatehouse/adapters/mcp/protocol/Peer"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import type { SessionId } from "@gatehouse/core/Identifiers"
import { hostLayer } from "@gatehouse/host/Host"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { readHostSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { Turns } from "@gatehouse/host/turns/Turns"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { Artifacts } from "@gatehouse/process/Artifacts"
import { Processes } from "@gatehouse/process/Processes"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import type { BenchRow } from "../lib/BenchRow.ts"

const calls = 1_536
const rounds = 5
const inFlight = 64

/** `node -e PROGRAM DELAY TOOLS`: answers `tools/list` after DELAY milliseconds with TOOLS tools. */
const program = `
const [delay, count] = process.argv.slice(1).map(Number);
const tools = Array.from({ length: count }, (_, index) => ({ name: "tool_" + index, description: "Tool number " + index + " of a long list.",
  inputSchema: { type: "object", properties: { path: { type: "string", description: "A path" }, count: { type: "integer", minimum: 0 } }, required: ["path"] } }));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line); if (id === undefined) return;
  const answer = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  if (method === "initialize") return answer({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "bench", version: "1" } });
  if (method === "tools/list") return setTimeout(() => answer({ tools }), delay);
  answer({ content: [{ type: "text", text: "a short answer" }] });
}).on("close", () => process.exit(0));`

const programArgs = (delay: number, tools: number): ReadonlyArray<string> => [
  "-e",
  program,
  String(delay),
  String(tools)
]

interface Bench {
  readonly admit: () => Promise<{ readonly call: () => Promise<string>; readonly entries: number }>
  readonly close: () => Promise<void>
}

/** A host over `servers` declarations of the program. */
const hostWith = async (servers: number, delay: number, tools: number): Promise<Bench> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-bench-mcp-")))
  const [home, core, workspace] = [join(root, "home"), join(root, "core"), join(root, "ws")]
  for (const folder of [home, join(core, "agent/mcp"), workspace]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const names = Array.from({ length: servers }, (_, index) => `s${String(index).padStart(2, "0")}`)
  const grants = names.flatMap((name) => [`    mcp.connect:${name}: {}`, `    mcp.call:${name}: {}`])
  writeFileSync(join(core, "agent.yaml"), `agent:\n  id: bench\ncapabilities:\n  defaults:\n${grants.join("\n")}\n`)
  for (const name of names) {
    const yaml = `command: ${JSON.stringify(process.execPath)}\nargs: ${JSON.stringify(programArgs(delay, tools))}\napproval_policy: auto\n`
    writeFileSync(join(core, "agent/mcp", `${name}.yaml`), yaml)
  }
  const prompter = Layer.succeed(ApprovalPrompter, {
    surface: "bench",
    available: true,
    ask: () => Effect.succeed("allow")
  })
  const layer = Effect.map(readHostSettings(home), (settings) =>
    hostLayer({ settings, environment: { PATH: process.env["PATH"] }, platform: "posix", userHome: root })
  ).pipe(Layer.unwrapEffect, Layer.provideMerge(prompter), Layer.provideMerge(homeLayer(home)))
  const runtime = ManagedRuntime.make(layer)
  const scope = await Effect.runPromise(Scope.make())
  const session: SessionId = await runtime.runPromise(
    Effect.gen(function* () {
      const principals = yield* Principals
      const made = yield* (yield* Sessions).create(principals.local, { title: "bench", coreRoot: core })
      return made.id
    })
  )
  const admit = Effect.gen(function* () {
    const principals = yield* Principals
    const turns = yield* Turns
    const loaded = yield* (yield* AgentCores).load(core)
    return yield* turns.admit({
      principal: principals.local,
      session,
      core: loaded,
      workspace,
      deadline: null,
      route: "interactive",
      cancellation: new AbortController().signal
    })
  })
  return {
    admit: async () => {
      const turn = await runtime.runPromise(Scope.extend(admit, scope))
      const one = Effect.map(executeCall(turn, "s00__tool_0", { path: "a" }), ({ status }) => status)
      return { entries: turn.catalog.entries.length, call: () => runtime.runPromise(one) }
    },
    close: async () => {
      await runtime.dispose()
      rmSync(root, { recursive: true, force: true })
    }
  }
}

const bareClient = async (delay: number, tools: number): Promise<Client> => {
  const client = new Client({ name: "bare", version: "1" })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...programArgs(delay, tools)], stderr: "ignore" })
  )
  return client
}

const wall = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** CPU microseconds of this process. */
const cpu = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { system, user } = process.cpuUsage(before)
  return user + system
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The best of some rounds: whatever else the machine does is in the others. */
const best = async (work: () => Promise<number>): Promise<number> => {
  const values: Array<number> = []
  for (let round = 0; round < rounds; round++) values.push(await work())
  return Math.min(...values)
}

const opening = (servers: number, delay: number) => async (): Promise<number> => {
  const host = await hostWith(servers, delay, 1)
  const millis = await wall(host.admit)
  await host.close()
  return millis
}

const discovery = async (): Promise<ReadonlyArray<BenchRow>> => {
  const start = await best(opening(1, 0))
  const all = await best(opening(12, 500))
  const host = await hostWith(12, 0, 1)
  await host.admit()
  const turns: Array<number> = []
  for (let turn = 0; turn < 200; turn++) turns.push(await cpu(host.admit))
  await host.close()
  return [
    {
      name: "12 servers that take 500 ms, against three waves and the start of one",
      value: all / (3 * 500 + start),
      limit: 1.1,
      unit: "times"
    },
    { name: "a turn without changes, CPU a server", value: median(turns) / 12 / 1_000, limit: 1, unit: "ms" }
  ]
}

const governedCall = async (): Promise<ReadonlyArray<BenchRow>> => {
  const host = await hostWith(1, 0, 1)
  const turn = await host.admit()
  const client = await bareClient(0, 1)
  await client.listTools()
  const bare = (): Promise<unknown> => client.callTool({ name: "tool_0", arguments: { path: "a" } })
  // Some at once, as agents have them: what is durable goes to the store in groups.
  const many = (work: () => Promise<unknown>) => async () => {
    for (let index = 0; index < calls; index += inFlight) await Promise.all(Array.from({ length: inFlight }, work))
  }
  if ((await turn.call()) !== "succeeded") throw new Error("the call did not succeed")
  await many(turn.call)()
  await many(bare)()
  const ratios: Array<number> = []
  for (let round = 0; round < rounds; round++) ratios.push((await cpu(many(turn.call))) / (await cpu(many(bare))))
  await client.close()
  await host.close()
  return [
    { name: "a governed stdio call against the bare SDK client, CPU", value: median(ratios), limit: 1, unit: "times" }
  ]
}

/** The conversation alone, without stages, store and views: what of a call this part of the host adds. */
const bareConversation = async (): Promise<ReadonlyArray<BenchRow>> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-bench-mcp-")))
  const runtime = ManagedRuntime.make(
    Processes.layer().pipe(
      Layer.provideMerge(Artifacts.layer()),
      Layer.provide(Layer.orDie(homeLayer(join(root, "home"))))
    )
  )
  const scope = await Effect.runPromise(Scope.make())
  const peer: Peer = await runtime.runPromise(
    Effect.gen(function* () {
      const made: Peer = new Peer({
        outlet: { send: (message, id) => channel.send(message, id), forget: () => undefined },
        onNotification: () => undefined,
        onRequest: () => Effect.succeed({ result: {} }),
        onSkipped: () => undefined,
        fork: (effect) => void Effect.runFork(effect)
      })
      const channel: Channel = yield* openStdio(
        yield* Processes,
        {
          command: process.execPath,
          args: programArgs(0, 1),
          cwd: root,
          environment: { PATH: process.env["PATH"] ?? "" },
          mask: null,
          label: "bench",
          messageLimit: 1_000_000
        },
        {
          onMessage: (message) => made.receive(message),
          onSkipped: () => undefined,
          onFailed: (id, failure) => made.fail(id, failure),
          onClosed: (failure) => made.close(failure)
        }
      )
      yield* handshake(made, { roots: false, elicitation: false }, () => undefined)
      return made
    }).pipe(Scope.extend(scope))
  )
  const request = peer.request(
    "tools/call",
    { name: "tool_0", arguments: { path: "a" } },
    { onProgress: () => undefined }
  )
  const client = await bareClient(0, 1)
  await client.listTools()
  const ours = () => runtime.runPromise(Effect.replicateEffect(request, calls, { discard: true }))
  const theirs = async () => {
    for (let index = 0; index < calls; index++) await client.callTool({ name: "tool_0", arguments: { path: "a" } })
  }
  await ours()
  await theirs()
  const ratios: Array<number> = []
  for (let round = 0; round < rounds; round++) ratios.push((await cpu(ours)) / (await cpu(theirs)))
  await client.close()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await runtime.dispose()
  rmSync(root, { recursive: true, force: true })
  return [
    {
      name: "the conversation of a call against the bare SDK client, CPU",
      value: median(ratios),
      limit: 1,
      unit: "times"
    }
  ]
}

const longLists = async (): Promise<ReadonlyArray<BenchRow>> => {
  const ours: Array<number> = []
  const theirs: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const host = await hostWith(4, 0, 1_000)
    let entries = 0
    const governed = await wall(async () => {
      entries = (await host.admit()).entries
    })
    if (entries !== 4_000) throw new Error(`listed ${entries} tools`)
    await host.close()
    const clients: Array<Client> = []
    const bare = await wall(() =>
      Promise.all(
        [1, 2, 3, 4].map(async () => {
          const client = await bareClient(0, 1_000)
          clients.push(client)
          await client.listTools()
        })
      )
    )
    await Promise.all(clients.map((client) => client.close()))
    ours.push(governed)
    theirs.push(bare)
  }
  return [
    {
      name: "4 servers of 1,000 tools, against the bare SDK client",
      value: Math.min(...ours) / Math.min(...theirs),
      limit: 1.2,
      unit: "times"
    }
  ]
}

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => [
  ...(await discovery()),
  ...(await bareConversation()),
  ...(await governedCall()),
  ...(await longLists())
]
