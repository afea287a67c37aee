/** The MCP servers of a core in a dry run: none is opened; each says how its opening would be decided. */
import { connectEntry } from "@gatehouse/adapters/mcp/connect/ConnectEntry"
import type { ConnectJudges } from "@gatehouse/adapters/mcp/connect/ConnectPlan"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { AdapterError } from "@gatehouse/core/EffectError"
import type { EffectSource, SourceDiagnostic } from "@gatehouse/core/EffectSource"
import type { Gate } from "@gatehouse/core/Gate"
import * as Effect from "effect/Effect"

/** A source of no entries, and of one diagnostic for each enabled server. */
export const closedServers = (judges: ConnectJudges): Effect.Effect<EffectSource, never, AgentCores> =>
  Effect.map(AgentCores, (cores) => ({
    kind: "mcp",
    entries: (turn, gate) =>
      Effect.map(
        // A core that cannot be read is told of by the turn itself.
        Effect.flatMap(
          Effect.orElseSucceed(cores.load(turn.coreRoot), () => null),
          (core) =>
            Effect.forEach(core?.servers.filter(({ manifest }) => manifest.enabled) ?? [], (server) =>
              notOpened(server, gate, judges)
            )
        ),
        (diagnostics) => ({ entries: [], diagnostics })
      )
  }))

const notOpened = (server: McpDeclaration, gate: Gate, judges: ConnectJudges): Effect.Effect<SourceDiagnostic> =>
  Effect.map(
    gate.pass(
      connectEntry(server, judges, () => Effect.fail(neverOpened)),
      {}
    ),
    ({ error }) => ({
      subject: server.file,
      severity: "warning",
      message: `${server.server} is not opened in a dry run, so its tools are not known here. Opening it: ${error?.message ?? ""}`,
      remedy: "`gatehouse catalog` opens it, and shows its tools"
    })
  )

const neverOpened = new AdapterError({
  reason: "failed",
  message: "a dry run opens no server",
  remedy: "",
  mayHaveHappened: false
})
