/** `initialize`, and which revisions are spoken. */
import * as Effect from "effect/Effect"
import { isRecord } from "./JsonRpc.ts"
import type { Peer } from "./Peer.ts"
import { PeerFailure } from "./PeerFailure.ts"

/** Revisions of MCP, the newest first: it is offered, and any of them is taken. */
export const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const

export interface ClientCapabilities {
  readonly roots: boolean
  readonly elicitation: boolean
}

export interface Agreement {
  readonly protocolVersion: string
  /** What the server says it is called; a claim. */
  readonly name: string
  readonly version: string
  readonly hasTools: boolean
}

/** Introduces the host. `agreed` is called between the answer and the first message after it. */
export const handshake = Effect.fnUntraced(function* (
  peer: Peer,
  capabilities: ClientCapabilities,
  agreed: (protocolVersion: string) => void
) {
  const result = yield* peer.request(
    "initialize",
    {
      protocolVersion: protocolVersions[0],
      capabilities: {
        ...(capabilities.roots ? { roots: {} } : {}),
        ...(capabilities.elicitation ? { elicitation: { form: {} } } : {})
      },
      clientInfo: { name: "gatehouse", version: "0.1.0" }
    },
    { cancellable: false }
  )
  const { protocolVersion, serverInfo } = result
  const version = protocolVersions.find((known) => known === protocolVersion)
  if (version === undefined) {
    return yield* new PeerFailure({
      reason: "broken",
      message: `the server speaks revision ${typeof protocolVersion === "string" ? protocolVersion.slice(0, 20) : "(none)"} of MCP; this host speaks ${protocolVersions.join(", ")}`,
      sent: true
    })
  }
  agreed(version)
  yield* peer.notify("notifications/initialized")
  const named = (field: string): string => {
    const value = isRecord(serverInfo) ? serverInfo[field] : undefined
    return typeof value === "string" ? value.slice(0, 128) : ""
  }
  const offered = result["capabilities"]
  const agreement: Agreement = {
    protocolVersion: version,
    name: named("name"),
    version: named("version"),
    hasTools: isRecord(offered) && isRecord(offered["tools"])
  }
  return agreement
})
