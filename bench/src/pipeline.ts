/** A governed call of a builtin `echo`, all stages on, against a round trip of the MCP SDK's in-memory transport. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import { opaque } from "@gatehouse/core/EffectAdapter"
import type { EffectSource, SourceEntry } from "@gatehouse/core/EffectSource"
import { isJsonObject } from "@gatehouse/core/Json"
import { hostLayer } from "@gatehouse/host/Host"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import { executeCall } from "@gatehouse/host/runtime/ExecuteCall"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import { Turns } from "@gatehouse/host/turns/Turns"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js"
import { Server } from "@modelcontextprotocol/sdk/server/index.js"
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { BenchRow } from "../lib/BenchRow.ts"

const calls = 1_000
const rounds = 7
const inFlight = 32

export const measure = async (): Promise<ReadonlyArray<BenchRow>> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-bench-")))
  const [core, workspace, home] = [join(root, "core"), join(root, "workspace"), join(root, "home")]
  for (const folder of [core, workspace]) mkdirSync(folder)
  writeFileSync(join(core, "agent.yaml"), "agent:\n  id: bench\ncapabilities:\n  defaults:\n    echo.call: {}\n")
  try {
    return await Effect.runPromise(Effect.provide(governed(core, workspace), hostOf(home)))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const governed = (core: string, workspace: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const principals = yield* Principals
      const loaded = yield* Effect.flatMap(AgentCores, (cores) => cores.load(core))
      const session = yield* Effect.flatMap(Sessions, (sessions) =>
        sessions.create(principals.local, { title: "bench", coreRoot: core })
      )
      const turn = yield* Effect.flatMap(Turns, (turns) =>
        turns.admit({
          principal: principals.local,
          session: session.id,
          core: loaded,
          workspace,
          deadline: null,
          route: "none",
          cancellation: new AbortController().signal
        })
      )
      const call = executeCall(turn, "echo", { text: "hello" })
      const first = yield* call
      if (first.status !== "succeeded") throw new Error(`echo ${first.status}: ${first.error?.message}`)
      const peer = yield* Effect.promise(connectedPeer)
      const once = yield* Effect.promise(() => peer())
      if (once !== "hello") throw new Error("the peer did not echo")
      const ratios: Array<number> = []
      const spreads: Array<number> = []
      for (let round = 0; round < rounds; round++) {
        const ours = yield* cpuOf(Effect.forEach(Array.from({ length: calls }), () => call, { discard: true }))
        const theirs = yield* cpuOf(
          Effect.promise(async () => {
            for (let at = 0; at < calls; at++) await peer()
          })
        )
        ratios.push(ours / theirs)
        spreads.push(yield* spreadOf(call))
      }
      return [
        {
          name: "CPU of a governed echo to an in-memory round trip of the MCP SDK",
          value: median(ratios),
          limit: 1,
          unit: "times"
        },
        {
          name: `p99 to p50 of a governed echo, ${inFlight} in flight`,
          value: median(spreads),
          limit: 4,
          unit: "times"
        }
      ]
    })
  )

const cpuOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<number, E, R> =>
  Effect.suspend(() => {
    const before = process.cpuUsage()
    return Effect.map(effect, () => {
      const used = process.cpuUsage(before)
      return used.user + used.system
    })
  })

const spreadOf = <A, E, R>(call: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.forEach(
      Array.from({ length: calls }),
      () =>
        Effect.suspend(() => {
          const started = performance.now()
          return Effect.map(call, () => performance.now() - started)
        }),
      { concurrency: inFlight }
    ),
    (millis) => {
      const sorted = millis.toSorted((left, right) => left - right)
      return (sorted[Math.floor(sorted.length * 0.99)] ?? 0) / (sorted[Math.floor(sorted.length / 2)] ?? 1)
    }
  )

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

const connectedPeer = async () => {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair()
  const server = new Server({ name: "peer", version: "0" }, { capabilities: { tools: {} } })
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
    content: [{ type: "text" as const, text: String(params.arguments?.["text"]) }]
  }))
  const client = new Client({ name: "bench", version: "0" })
  await Promise.all([server.connect(serverSide), client.connect(clientSide)])
  return async (): Promise<unknown> => {
    const { content } = await client.callTool({ name: "echo", arguments: { text: "hello" } })
    return Array.isArray(content) ? content[0]?.text : undefined
  }
}

const echo: SourceEntry = {
  name: "echo",
  description: "Gives back its text.",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false
  },
  capability: "echo.call",
  risk: "low",
  policy: "auto",
  policyOrigin: "bench",
  tightenOnly: true,
  readOnly: true,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  toolset: null,
  provenance: "bench echo",
  component: null,
  metadata: {},
  adapter: opaque<string>({
    plan: (args) => ({
      action: "read",
      target: "echo",
      risk: "low",
      policy: "auto",
      because: [],
      readOnly: true,
      preview: {},
      subject: { kind: "other" },
      approvalShape: {},
      sessionCacheable: true,
      secrets: [],
      writeScope: null,
      timeoutMillis: null,
      prepared: isJsonObject(args) && typeof args["text"] === "string" ? args["text"] : ""
    }),
    run: ({ prepared }) => Effect.succeed({ status: "succeeded", output: textOutput(prepared) })
  })
}

const echoSource: EffectSource = {
  kind: "bench",
  entries: () => Effect.succeed({ entries: [echo], diagnostics: [] })
}

const hostOf = (home: string) =>
  Effect.map(decodeSettings(""), (settings) =>
    hostLayer({
      settings,
      environment: { PATH: "/usr/bin:/bin" },
      platform: "posix",
      userHome: home,
      sources: [echoSource]
    })
  ).pipe(Layer.unwrapEffect, Layer.provideMerge(ApprovalPrompter.layerNever), Layer.provideMerge(homeLayer(home)))
