/** What the stages use, captured once when the runtime is built: nothing is provided per call. */
import type { ArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import type { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import type { CallId } from "@gatehouse/core/Identifiers"
import type { ApprovalSettings } from "@gatehouse/core/PolicyMerge"
import type { PrincipalScopes } from "@gatehouse/core/PrincipalScopes"
import type { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { CapabilitySnapshot } from "@gatehouse/core/TurnContext"
import type { Approvals } from "@gatehouse/policy/approvals/Approvals"
import type { CompiledGrants } from "@gatehouse/policy/capabilities/CompiledGrants"
import type { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type { SecretBinder } from "@gatehouse/policy/secrets/SecretBinder"
import type * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import type { AdmittedTurns } from "./AdmittedTurns.ts"

export interface Dependencies {
  readonly turns: Context.Tag.Service<AdmittedTurns>
  readonly principals: Context.Tag.Service<PrincipalScopes>
  /** Compiled once for each snapshot. */
  readonly grants: (snapshot: CapabilitySnapshot) => CompiledGrants
  /** The approval settings of the host's owner. */
  readonly globalApproval: ApprovalSettings
  readonly argumentSchemas: ArgumentSchemas
  readonly approvals: Context.Tag.Service<Approvals>
  readonly secretBinder: Context.Tag.Service<SecretBinder>
  readonly redactor: Context.Tag.Service<Redactor>
  readonly records: Pick<Context.Tag.Service<EffectRecords>, "intend" | "settle">
  readonly events: Context.Tag.Service<RuntimeEvents>
  readonly clock: Clock.Clock
  /** The host's own variables: sources of known secrets for redaction. */
  readonly hostEnvironment: Readonly<Record<string, string | undefined>>
  /** Milliseconds that an adapter may take where its plan names no limit. */
  readonly callTimeoutMillis: number
  /** Milliseconds that a question may wait for its answer, within the turn's own deadline. */
  readonly questionMillis: number
  /** The same for opening a server. */
  readonly openingQuestionMillis: number
  /** Milliseconds that a cut-off adapter has to confirm its cleanup. */
  readonly cleanupLimitMillis: number
  /** Masked text of a running call, for whoever watches; null where nobody does. */
  readonly live: ((call: CallId, stream: "stdout" | "stderr", text: string) => void) | null
}

/** What the first five stages use: they decide, and do nothing. */
export type DecidingDependencies = Pick<
  Dependencies,
  | "turns"
  | "principals"
  | "grants"
  | "globalApproval"
  | "argumentSchemas"
  | "approvals"
  | "clock"
  | "questionMillis"
  | "openingQuestionMillis"
>
