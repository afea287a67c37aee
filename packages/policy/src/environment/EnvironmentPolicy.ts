/**
 * The environment of a child: a list of allowed names, never of forbidden ones. Cases in
 * `test/vectors/env-allowlist.json`.
 */
import type { SecretRequest } from "@gatehouse/core/EffectPlan"
import type { Risk } from "@gatehouse/core/Risk"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { buildEnvironment, type EnvironmentBasis } from "./BuildEnvironment.ts"

export interface EnvironmentQuestion {
  readonly purpose: "terminal" | "mcp-stdio"
  readonly overlay: Readonly<Record<string, string>>
  readonly bindings: ReadonlyArray<SecretRequest>
  /** Grants of the core, whole names (secrets need `secret.bind:<NAME>` exactly). */
  readonly grants: ReadonlyArray<string>
  readonly timeoutSeconds: number
  readonly background: boolean
}

export type EnvironmentRefusal =
  | "invalid_name"
  | "invalid_value"
  | "missing_variable"
  | "missing_capability"
  | "reserved_target"
  | "duplicate_target"
  | "background_binding"
  | "expiry_out_of_range"
  | "too_many_bindings"
  | "invalid_source"
  | "invalid_binding"

export type EnvironmentAnswer =
  | {
      readonly outcome: "built"
      /** Without the bound secrets: their values are read after the approval only. */
      readonly environment: Readonly<Record<string, string>>
      readonly requiresApproval: boolean
      readonly risk: Risk
      readonly sessionCacheable: boolean
      readonly effectiveTimeoutSeconds: number
    }
  | { readonly outcome: "refused"; readonly reason: EnvironmentRefusal; readonly message: string }

export class EnvironmentPolicy extends Context.Tag("@gatehouse/policy/EnvironmentPolicy")<
  EnvironmentPolicy,
  { readonly build: (question: EnvironmentQuestion) => EnvironmentAnswer }
>() {
  /** Over the host's own environment, its platform, the private home of children, and what the host's owner changed. */
  static readonly layer = (options: EnvironmentBasis): Layer.Layer<EnvironmentPolicy> =>
    Layer.succeed(EnvironmentPolicy, { build: (question) => buildEnvironment(question, options) })
}
