/** How a call ended, raw: what the settle stage turns into a result. Nothing of it leaves the runtime unredacted. */
import type { AdapterOutput } from "@gatehouse/core/AdapterOutcome"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectError } from "@gatehouse/core/EffectError"
import type { EffectPlan } from "@gatehouse/core/EffectPlan"
import type { CallId, CatalogId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { Status } from "@gatehouse/core/Status"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { BoundSecrets } from "@gatehouse/policy/secrets/SecretBinder"

/** What is known of a call when it has ended; null where it never got that far. */
export interface EndedCall {
  readonly callId: CallId
  readonly tool: string
  readonly catalog: CatalogId
  readonly turn: TurnContext
  readonly arguments: Json
  readonly entry: EffectEntry | null
  readonly plan: EffectPlan<unknown> | null
  readonly secrets: BoundSecrets | null
}

export interface Ending {
  readonly status: Status
  readonly error: EffectError | null
  readonly executionStarted: boolean
  readonly mayHaveHappened: boolean
  readonly output: AdapterOutput | null
  /** A defect's cause, for the debug view. */
  readonly cause?: unknown
}

/** A stage before the adapter ended the call: nothing happened. */
export const endedBefore = (status: Status, error: EffectError, cause?: unknown): Ending => ({
  status,
  error,
  executionStarted: false,
  mayHaveHappened: false,
  output: null,
  ...(cause === undefined ? {} : { cause })
})
