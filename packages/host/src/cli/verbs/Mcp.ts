/** `gatehouse mcp`: the servers that a core declares, what opening them comes to, and what they wrote. */

import { readServerLog } from "@gatehouse/adapters/mcp/connections/ServerLog.boundary"
import { McpConnections } from "@gatehouse/adapters/mcp/McpConnections"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Option from "effect/Option"
import { alreadyShown, CommandFailed } from "../ExitStatus.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { Invocation } from "../Invocation.ts"
import { admitLocalTurn, loadCore, localHostLayer } from "../LocalHost.ts"
import { Output } from "../Output.ts"
import { table } from "../render/Table.ts"
import { terminalPrompterLayer } from "../TerminalPrompter.ts"

export interface McpArguments extends Places {
  readonly json: boolean
}

/** What is declared; nothing is opened for it. */
export const runMcpList = Effect.fn("gatehouse mcp list")(function* (args: McpArguments) {
  const output = yield* Output
  const { servers } = yield* loadCore(args)
  const rows = servers.map(declared)
  if (args.json) return yield* output.result(inertJson(rows, 2))
  if (rows.length === 0) return yield* output.note("no servers are declared in agent/mcp")
  yield* output.result(
    table(
      ["SERVER", "TRANSPORT", "OPENS", "RISK", "CALLS ASK", "STATE"],
      rows.map(({ approval_policy, enabled, opens, risk, server, transport }) => [
        server,
        transport,
        opens,
        risk,
        approval_policy,
        enabled ? "enabled" : "switched off"
      ]),
      output
    )
  )
}, Effect.provide(AgentCores.layer))

/** Program or origin: arguments, paths and headers may hold secrets. */
const declared = ({ file, manifest, server }: McpDeclaration) => ({
  server,
  file,
  transport: manifest.transport,
  opens: manifest.transport === "stdio" ? (manifest.command ?? "") : originOf(manifest.url ?? ""),
  risk: manifest.risk,
  approval_policy: manifest.approval_policy,
  capability: manifest.capability,
  enabled: manifest.enabled
})

const originOf = (url: string): string => /^https?:\/\/[^/?#]+/i.exec(url)?.[0] ?? ""

export interface McpServerArguments extends McpArguments {
  readonly server: string
}

/** Opens the servers of the core in a turn, and tells what became of one. */
export const runMcpTest = Effect.fn("gatehouse mcp test")(function* (args: McpServerArguments) {
  const output = yield* Output
  const found = yield* inTurn(args, (turn, connections) =>
    Effect.map(connections.list(turn.context.session), (open) => ({
      open: open.find(({ server }) => server === args.server) ?? null,
      diagnostics: turn.catalog.diagnostics.filter(({ subject }) => subject === `agent/mcp/${args.server}.yaml`)
    }))
  )
  if (args.json) yield* output.result(inertJson(found, 2))
  else {
    for (const { message, remedy, severity } of found.diagnostics) {
      yield* output.note(`${severity}: ${message}${remedy === "" ? "" : `\n  ${remedy}`}`)
    }
    if (found.open !== null) {
      const { claims, protocolVersion, server, tools } = found.open
      yield* output.result(`${server} is open: ${tools} tools, MCP ${protocolVersion}, calls itself ${claims}`)
    }
  }
  if (found.open === null) return yield* alreadyShown("failed")
})

/** Accepts the definitions that the server lists now. */
export const runMcpApprove = Effect.fn("gatehouse mcp approve")(function* (args: McpServerArguments) {
  const output = yield* Output
  const kept = yield* inTurn(args, (turn, connections) =>
    Effect.gen(function* () {
      for (const { message, subject } of turn.catalog.diagnostics) {
        if (subject === `agent/mcp/${args.server}.yaml`) yield* output.note(message)
      }
      return yield* connections.acceptDefinitions(turn.context.session, args.server)
    })
  )
  if (!kept) {
    return yield* new CommandFailed({
      status: "failed",
      message: `${args.server} is not open, so its definitions are not accepted`,
      remedy: `gatehouse mcp test ${args.server} tells why`
    })
  }
  yield* output.result(args.json ? JSON.stringify({ server: args.server, accepted: true }) : `${args.server}: accepted`)
})

export interface McpLogsArguments {
  readonly server: string
  readonly home: Option.Option<string>
  readonly json: boolean
}

/** What the server wrote beside the protocol, redacted when it was kept. */
export const runMcpLogs = Effect.fn("gatehouse mcp logs")(function* (args: McpLogsArguments) {
  const output = yield* Output
  const log = readServerLog(homeFolder(args.home, yield* Invocation), args.server)
  if (log === null) {
    return yield* new CommandFailed({
      status: "not_found",
      message: `there is no log of a server ${args.server}`,
      remedy: "a log is written when a connection closes; gatehouse mcp list shows the servers"
    })
  }
  yield* output.result(args.json ? JSON.stringify({ server: args.server, log }) : log)
})

type LocalTurn = Effect.Effect.Success<ReturnType<typeof admitLocalTurn>>

const inTurn = <A>(
  args: McpServerArguments,
  use: (turn: LocalTurn, connections: typeof McpConnections.Service) => Effect.Effect<A>
) =>
  Effect.gen(function* () {
    const output = yield* Output
    const prompter = output.interactive && !args.json ? terminalPrompterLayer : ApprovalPrompter.layerNever
    const work = Effect.gen(function* () {
      const core = yield* loadCore(args)
      if (!core.servers.some(({ server }) => server === args.server)) return yield* unknown(args.server)
      const turn = yield* admitLocalTurn(args)
      return yield* use(turn, yield* McpConnections)
    })
    return yield* Effect.provide(Effect.scoped(work), Layer.provideMerge(localHostLayer(args), prompter))
  })

const unknown = (server: string): CommandFailed =>
  new CommandFailed({
    status: "not_found",
    message: `the core declares no server ${server}`,
    remedy: "gatehouse mcp list shows those that it declares"
  })
