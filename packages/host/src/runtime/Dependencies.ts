/** What the stages use, captured once when the runtime is built: nothing is provided per call. */
import type { ArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import type { CallId } from "@gatehouse/core/Identifiers"
import type { PrincipalScopes } from "@gatehouse/core/PrincipalScopes"
import type { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { CapabilitySnapshot } from "@gatehouse/core/TurnContext"
import type { Approvals } from "@gatehouse/policy/approvals/Approvals"
import type { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type { SecretBinder } from "@gatehouse/policy/secrets/SecretBinder"
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import type { AdmittedTurns } from "./AdmittedTurns.ts"
import type { EffectRecords } from "./EffectRecords.ts"

/** Grants of one snapshot, compiled. */
export interface Grants {
  /** The grant that covers `required`, looked up as a gate does; null where none does. */
  readonly grantedBy: (required: string, component: string | null) => string | null
}

export interface Dependencies {
  readonly turns: Context.Tag.Service<AdmittedTurns>
  readonly principals: Context.Tag.Service<PrincipalScopes>
  readonly grants: (snapshot: CapabilitySnapshot) => Grants
  readonly argumentSchemas: ArgumentSchemas
  readonly approvals: Context.Tag.Service<Approvals>
  readonly secretBinder: Context.Tag.Service<SecretBinder>
  readonly redactor: Context.Tag.Service<Redactor>
  readonly records: Context.Tag.Service<EffectRecords>
  readonly events: Context.Tag.Service<RuntimeEvents>
  readonly clock: Clock.Clock
  /** The host's own variables: sources of known secrets for redaction. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>
  /** Milliseconds that an adapter may take where its plan names no limit. */
  readonly callTimeoutMillis: number
  /** Masked text of a running call, for whoever watches. */
  readonly live: (call: CallId, stream: "stdout" | "stderr", text: string) => void
}
