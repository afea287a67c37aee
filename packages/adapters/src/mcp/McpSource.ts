/** The tools of MCP servers. */
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import type { EffectSource, SourceEntries } from "@gatehouse/core/EffectSource"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { McpConnections } from "./McpConnections.ts"

export class McpSource extends Context.Tag("@gatehouse/adapters/McpSource")<McpSource, EffectSource>() {
  /** Entries of the servers that the turn's core declares, opened through the turn's gate where they are not open. */
  static readonly layer: Layer.Layer<McpSource, never, AgentCores | McpConnections> = Layer.effect(
    McpSource,
    Effect.gen(function* () {
      const cores = yield* AgentCores
      const connections = yield* McpConnections
      return {
        kind: "mcp",
        entries: (turn, gate) =>
          Effect.matchEffect(cores.load(turn.coreRoot), {
            onFailure: ({ message, remedy }) => Effect.succeed(unreadable(message, remedy)),
            onSuccess: (core) =>
              core.revision === turn.coreRevision
                ? connections.prepare(turn, core, gate)
                : Effect.succeed(
                    unreadable(
                      "the core changed while the turn was admitted, so no server is opened",
                      "start the turn again"
                    )
                  )
          })
      }
    })
  )
}

const unreadable = (message: string, remedy: string): SourceEntries => ({
  entries: [],
  diagnostics: [{ subject: "agent/mcp", severity: "error", message, remedy }]
})
