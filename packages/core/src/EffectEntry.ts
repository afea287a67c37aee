/** What a turn knows about one effect: plain, deeply frozen, comparable. */
import type { Fingerprint } from "./Fingerprint.ts"
import type { CoreRevision } from "./Identifiers.ts"
import type { Json, JsonObject } from "./Json.ts"
import type { Policy } from "./Policy.ts"
import type { Risk } from "./Risk.ts"

/** Who brings the effect along. Hosts may add kinds of their own; these four are built in. */
export type SourceKind = "builtin" | "authored" | "mcp" | "connect" | (string & {})

/** A policy, and the setting that decided it with its place (`agent.yaml:12 approval.tools.write_file`). */
export interface DecidedPolicy {
  readonly effective: Policy
  readonly decidedBy: string
}

export type DisplayPolicy = "summary" | "full" | "hidden"
export type ModelOutputPolicy = "content" | "summary" | "none"

export interface EffectEntry {
  /** The name that the model sees. */
  readonly name: string
  readonly source: SourceKind
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly inputSchema: JsonObject
  /** Required before the call; null where the core need not grant anything. */
  readonly capability: string | null
  readonly risk: Risk
  readonly policy: DecidedPolicy
  /** What an approver may assume by policy (never by a server's claim): the call changes nothing. */
  readonly readOnly: boolean
  readonly displayPolicy: DisplayPolicy
  readonly modelOutputPolicy: ModelOutputPolicy
  readonly coreRevision: CoreRevision
  /** Where it comes from, for people: `builtin read_file`, `agent/tools/note/tool.yaml`, `agent/mcp/docs.yaml tool search`. */
  readonly provenance: string
  /** The component of the core that path-scoped grants name, where there is one (`agent/tools/note`). */
  readonly component: string | null
  /** Facts of the source that policy and people may need: server, original name, annotations as claims. */
  readonly metadata: Json
  /** Of all fields above. */
  readonly fingerprint: Fingerprint
}

/** What the provider of the model is told about an effect. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
}
