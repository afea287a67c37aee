/** Opening one server as an effect: it walks all stages, and its deed hands the connection over. */
import type { McpDeclaration } from "@gatehouse/catalog/cores/AgentCore"
import { textOutput } from "@gatehouse/core/AdapterOutcome"
import type { Authorized } from "@gatehouse/core/Authorized"
import { opaque } from "@gatehouse/core/EffectAdapter"
import { AdapterError } from "@gatehouse/core/EffectError"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { keyedFingerprint } from "@gatehouse/core/Fingerprint"
import * as Effect from "effect/Effect"
import { type ConnectJudges, type PreparedConnect, planConnect } from "./ConnectPlan.ts"

/** Does the deed and keeps the connection; it tells what the server wrote where it does not come about. */
export type Establish = (
  authorized: Authorized<PreparedConnect>
) => Effect.Effect<{ readonly tools: number }, AdapterError>

/** Settings know a connect by its server's name (`PolicyMergeInput.tool`). */
export const connectEntry = (declaration: McpDeclaration, judges: ConnectJudges, establish: Establish): SourceEntry => {
  const { digest, file, manifest, origin, server } = declaration
  return {
    name: server,
    description: `Open the MCP server ${server}`,
    inputSchema: { type: "object", additionalProperties: false },
    capability: `mcp.connect:${server}`,
    capabilityFixed: true,
    risk: manifest.risk,
    policy: manifest.approval_policy,
    policyOrigin: origin(["approval_policy"]),
    tightenOnly: true,
    readOnly: false,
    displayPolicy: "summary",
    modelOutputPolicy: "content",
    toolset: null,
    provenance: file,
    component: null,
    // Keyed: a digest of a short declaration could be guessed from.
    metadata: { server, declaration: keyedFingerprint(judges.key, digest) },
    adapter: opaque<PreparedConnect>({
      plan: (_, turn) => planConnect(declaration, turn, judges),
      run: (authorized) =>
        Effect.map(establish(authorized), ({ tools }) => ({
          status: "succeeded" as const,
          output: textOutput(`${server} is open and lists ${tools} ${tools === 1 ? "tool" : "tools"}`, {
            server,
            tools
          })
        }))
    })
  }
}

/** What a connect that did not come about is told as. */
export const connectError = (reason: string, message: string): AdapterError =>
  new AdapterError({
    reason,
    message,
    remedy: "gatehouse mcp logs shows what the server wrote; it is tried again after 30 s",
    mayHaveHappened: true
  })
