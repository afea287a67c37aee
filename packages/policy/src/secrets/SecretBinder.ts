/** Reads exactly the secrets that were approved, once and for a short time. */

import type { SecretError } from "@gatehouse/core/EffectError"
import type { SecretRequest } from "@gatehouse/core/EffectPlan"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"

export interface BoundSecrets {
  /** By target name. */
  readonly values: ReadonlyMap<string, Redacted.Redacted<string>>
  /** Milliseconds since the epoch of the earliest expiry; null without bindings. */
  readonly expiresAt: number | null
}

export class SecretBinder extends Context.Tag("@gatehouse/policy/SecretBinder")<
  SecretBinder,
  {
    /** `plannedAt`: when the question was asked; a binding that expired since then is refused. */
    readonly bind: (
      requests: ReadonlyArray<SecretRequest>,
      turn: TurnContext,
      plannedAt: number
    ) => Effect.Effect<BoundSecrets, SecretError>
  }
>() {}
