/** Where entries come from. A host is extended by adding one of these. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { OpaqueAdapter } from "./EffectAdapter.ts"
import type { DisplayPolicy, ModelOutputPolicy, SourceKind } from "./EffectEntry.ts"
import type { Gate } from "./Gate.ts"
import type { Json, JsonObject } from "./Json.ts"
import type { Policy } from "./Policy.ts"
import type { Risk } from "./Risk.ts"
import type { TurnContext } from "./TurnContext.ts"

/** An entry before the core's and the host's settings are merged into it. */
export interface SourceEntry {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly capability: string | null
  /** True where a core may not name another capability (`session_search`, connects). */
  readonly capabilityFixed?: boolean
  readonly risk: Risk
  /** What the source itself asks for, and where it says so (`builtin`, `agent/tools/note/tool.yaml:4 approval_policy`). */
  readonly policy: Policy
  readonly policyOrigin: string
  /** True where settings may tighten only (builtins, connects); false where the core itself declared the entry. */
  readonly tightenOnly: boolean
  readonly readOnly: boolean
  readonly displayPolicy: DisplayPolicy
  readonly modelOutputPolicy: ModelOutputPolicy
  /** Toolset that must be selected for this entry to be in the catalog; null where it is always there. */
  readonly toolset: string | null
  readonly provenance: string
  readonly component: string | null
  readonly metadata: Json
  readonly adapter: OpaqueAdapter
}

/** Something that went wrong with a part of a source: never a bare empty list. */
export interface SourceDiagnostic {
  /** What it is about: a server, a file. */
  readonly subject: string
  readonly severity: "warning" | "error"
  readonly message: string
  readonly remedy: string
}

export interface SourceEntries {
  readonly entries: ReadonlyArray<SourceEntry>
  readonly diagnostics: ReadonlyArray<SourceDiagnostic>
}

export interface EffectSource {
  readonly kind: SourceKind
  /** Entries for one turn. Preparing them may need effects of its own: they pass the gate like every other. */
  readonly entries: (turn: TurnContext, gate: Gate) => Effect.Effect<SourceEntries, never, Scope.Scope>
}
