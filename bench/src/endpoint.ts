/**
 * The endpoint against peers in the same run: a pass-through made of the SDK's server and client (what a gateway without
 * governance adds), the server by itself, and the start of a bare SDK server.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { BenchRow } from "../lib/BenchRow.ts"

const bench = dirname(dirname(fileURLToPath(import.meta.url)))
const gatehouse = join(bench, "../packages/host/bin/gatehouse.js")

const server = `
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
const server = new Server({ name: "bench", version: "1" }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: "echo", description: "Echoes", inputSchema: { type: "object" } }] }))
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text: "a short answer" }] }))
await server.connect(new StdioServerTransport())
process.stdin.on("end", () => process.exit(0))
`

const passThrough = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js"
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js"
const client = new Client({ name: "pass", version: "1" })
await client.connect(new StdioClientTransport({ command: process.execPath, args: [process.argv[2]] }))
const server = new Server({ name: "pass", version: "1" }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => client.listTools(params))
server.setRequestHandler(CallToolRequestSchema, ({ params }) => client.callTool(params))
await server.connect(new StdioServerTransport())
process.stdin.on("end", () => process.exit(0))
`

interface Peer {
  readonly child: ChildProcess
  readonly request: (method: string, params: object) => Promise<Answer>
  readonly notify: (method: string) => void
  readonly close: () => Promise<void>
}

interface Answer {
  readonly result?: { readonly tools?: ReadonlyArray<{ readonly name: string }>; readonly isError?: boolean }
}

const peer = (args: ReadonlyArray<string>): Peer => {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] })
  const waiting = new Map<number, (answer: Answer) => void>()
  let last = 0
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line)
    if (message.method === "elicitation/create")
      return write({ id: message.id, result: { action: "accept", content: { answer: "allow" } } })
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  return {
    child,
    request: (method, params) =>
      new Promise((resolve) => {
        last += 1
        waiting.set(last, resolve)
        write({ id: last, method, params })
      }),
    notify: (method) => write({ method }),
    close: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve())
        child.stdin.end()
      })
  }
}

const hello = {
  protocolVersion: "2025-11-25",
  capabilities: { elicitation: {} },
  clientInfo: { name: "bench", version: "1" }
}

/** Ready, with the name under which it has the one tool. */
const opened = async (args: ReadonlyArray<string>): Promise<readonly [Peer, string]> => {
  const made = peer(args)
  await made.request("initialize", hello)
  made.notify("notifications/initialized")
  for (;;) {
    const { result } = await made.request("tools/list", {})
    const name = result?.tools?.find((tool) => tool.name.endsWith("echo"))?.name
    if (name !== undefined) return [made, name]
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const call = async (made: Peer, name: string): Promise<void> => {
  const { result } = await made.request("tools/call", { name, arguments: {} })
  if (result === undefined || result.isError === true) throw new Error(`the call failed: ${JSON.stringify(result)}`)
}

/** Milliseconds of the middle call. */
const latency = async (made: Peer, name: string): Promise<number> => {
  const taken: Array<number> = []
  for (let index = 0; index < 300; index++) {
    const begun = performance.now()
    await call(made, name)
    taken.push(performance.now() - begun)
  }
  return median(taken)
}

/** Calls a second with 16 callers. */
const throughput = async (made: Peer, name: string): Promise<number> => {
  let left = 1_600
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (left-- > 0) await call(made, name)
    })
  )
  return (1_600 / (performance.now() - begun)) * 1_000
}

/** Milliseconds until `initialize` is answered. */
const start = async (args: ReadonlyArray<string>): Promise<number> => {
  const begun = performance.now()
  const made = peer(args)
  await made.request("initialize", hello)
  const taken = performance.now() - begun
  await made.close()
  return taken
}

/** Processor time that the process has used (proc(5), fields 14 and 15, at 100 ticks a second). */
const cpuMillis = ({ child }: Peer): number => {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => {
  const folder = mkdtempSync(join(bench, ".endpoint-"))
  try {
    const [bare, pass] = [join(folder, "server.mjs"), join(folder, "pass.mjs")]
    writeFileSync(bare, server)
    writeFileSync(pass, passThrough)
    const ours = [gatehouse, "serve", ...place(folder, bare)]

    const open = [await opened([bare]), await opened([pass, bare]), await opened(ours)] as const
    const rounds: Array<ReadonlyArray<number>> = []
    for (let round = 0; round < 5; round++) {
      const taken: Array<number> = []
      for (const [made, name] of open) {
        const before = cpuMillis(made)
        taken.push(await latency(made, name), await throughput(made, name), (cpuMillis(made) - before) / 1_900)
      }
      rounds.push(taken)
    }
    for (const [made] of open) await made.close()
    const of = (index: number): number => median(rounds.map((taken) => taken[index] ?? 0))
    const [direct, passing, gated] = [of(0), of(3), of(6)]

    const starts: Array<readonly [number, number]> = []
    for (let round = 0; round < 9; round++) starts.push([await start(ours), await start([bare])])

    return [
      {
        name: `processor time of a call in the endpoint, to the pass-through (${of(8).toFixed(2)} and ${of(5).toFixed(2)} ms)`,
        value: of(8) / of(5),
        limit: 2,
        unit: "times"
      },
      {
        name: `p50 that all governance adds to a call, to what the pass-through adds (${(gated - direct).toFixed(2)} and ${(passing - direct).toFixed(2)} ms)`,
        value: (gated - direct) / (passing - direct),
        limit: 2,
        unit: "times"
      },
      {
        name: "calls a second with 16 callers, to the pass-through",
        value: of(7) / of(4),
        limit: 0.8,
        atLeast: true,
        unit: "times"
      },
      {
        name: "start of `gatehouse serve` to the answered handshake, to a bare SDK server",
        value: median(starts.map(([own]) => own)) / median(starts.map(([, sdk]) => sdk)),
        limit: 1.3,
        unit: "times"
      }
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A core with the one server; whether it may be opened is asked of the client. */
const place = (folder: string, program: string): ReadonlyArray<string> => {
  const [core, home, workspace] = [join(folder, "core"), join(folder, "home"), join(folder, "workspace")]
  mkdirSync(join(core, "agent/mcp"), { recursive: true })
  mkdirSync(workspace)
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(
    join(core, "agent.yaml"),
    'agent: {id: bench}\ncapabilities:\n  defaults:\n    "mcp.connect:bench": {scope: workspace}\n    "mcp.call:bench": {scope: workspace}\n'
  )
  writeFileSync(
    join(core, "agent/mcp/bench.yaml"),
    `command: ${JSON.stringify(process.execPath)}\nargs: ${JSON.stringify([program])}\napproval_policy: auto\nsupports_parallel_tool_calls: true\n`
  )
  writeFileSync(join(home, "settings.yaml"), "endpoint: {elicitation: allowed}\n")
  return ["--core", core, "--home", home, "--workspace", workspace]
}
