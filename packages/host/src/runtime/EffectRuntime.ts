/**
 * The dispatcher: one request for one effect walks the eight stages and comes back as one typed result.
 */
import { makeArgumentSchemas } from "@gatehouse/adapters/arguments/ArgumentSchemas"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import type { EffectRequest } from "@gatehouse/core/EffectRequest"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { ApprovalSettings } from "@gatehouse/core/PolicyMerge"
import { PrincipalScopes } from "@gatehouse/core/PrincipalScopes"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { CapabilitySnapshot, TurnContext } from "@gatehouse/core/TurnContext"
import { Approvals } from "@gatehouse/policy/approvals/Approvals"
import { pendingLimitMillis } from "@gatehouse/policy/approvals/PoseQuestion"
import { type CompiledGrants, compileGrants } from "@gatehouse/policy/capabilities/CompiledGrants"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import { SecretBinder } from "@gatehouse/policy/secrets/SecretBinder"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { cleanupLimitMillis } from "./AdapterRun.ts"
import { AdmittedTurns } from "./AdmittedTurns.ts"
import type { Dependencies } from "./Dependencies.ts"
import { makeExecute } from "./Pipeline.ts"

export interface EffectRuntimeOptions {
  /** The approval settings of the host's owner. */
  readonly globalApproval: ApprovalSettings
  readonly hostEnvironment: Dependencies["hostEnvironment"]
  /** Text of running calls, for whoever watches. Default: nobody does. */
  readonly live?: NonNullable<Dependencies["live"]>
  /** Milliseconds. Default: {@link defaultCallTimeoutMillis}. */
  readonly callTimeoutMillis?: number
  /** Milliseconds that a question waits. Default: the ten minutes of the contract. */
  readonly questionMillis?: number
  /** The same for opening a server, where no call waits for it. Default: as {@link questionMillis}. */
  readonly openingQuestionMillis?: number
  /** Milliseconds that a cut-off adapter has to confirm its cleanup. Default: {@link cleanupLimitMillis}. */
  readonly cleanupLimitMillis?: number
}

/** Milliseconds that an adapter may take where its plan names no limit (the terminal's longest, design, numbers). */
export const defaultCallTimeoutMillis = 120_000

export class EffectRuntime extends Context.Tag("@gatehouse/host/EffectRuntime")<
  EffectRuntime,
  {
    /**
     * Never fails: whatever happens is an {@link EffectResult}. When the calling fiber is interrupted, what became of
     * the effect is recorded first, and the interruption goes on.
     */
    readonly execute: (request: EffectRequest, turn: TurnContext) => Effect.Effect<EffectResult>
  }
>() {
  /** The pipeline over the services in reach, captured once. */
  static readonly layer = (options: EffectRuntimeOptions) =>
    Layer.effect(
      EffectRuntime,
      Effect.gen(function* () {
        const dependencies: Dependencies = {
          turns: yield* AdmittedTurns,
          principals: yield* PrincipalScopes,
          grants: compiledOnce(),
          globalApproval: options.globalApproval,
          argumentSchemas: makeArgumentSchemas(),
          approvals: yield* Approvals,
          secretBinder: yield* SecretBinder,
          redactor: yield* Redactor,
          records: yield* EffectRecords,
          events: yield* RuntimeEvents,
          clock: yield* Effect.clock,
          hostEnvironment: options.hostEnvironment,
          callTimeoutMillis: options.callTimeoutMillis ?? defaultCallTimeoutMillis,
          questionMillis: options.questionMillis ?? pendingLimitMillis,
          openingQuestionMillis: options.openingQuestionMillis ?? options.questionMillis ?? pendingLimitMillis,
          cleanupLimitMillis: options.cleanupLimitMillis ?? cleanupLimitMillis,
          live: options.live ?? null
        }
        return { execute: makeExecute(dependencies) }
      })
    )
}

/** Snapshots live as long as their turns: so do their compiled forms. */
export const compiledOnce = (): Dependencies["grants"] => {
  const compiled = new WeakMap<CapabilitySnapshot, CompiledGrants>()
  return (snapshot) => {
    const known = compiled.get(snapshot) ?? compileGrants(snapshot)
    compiled.set(snapshot, known)
    return known
  }
}
