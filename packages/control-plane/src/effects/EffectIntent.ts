/** What is said about a call before it begins and after it ended. */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { CallId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { View } from "@gatehouse/core/View"

export interface EffectIntent {
  readonly callId: CallId
  readonly turn: TurnContext
  readonly entry: EffectEntry
  /** Redacted and bounded, as all that is kept. */
  readonly action: string
  readonly target: string
  /** By policy: such an intent is not waited for. */
  readonly readOnly: boolean
  /** Two intents with the same scope are not open at once, whatever host they are of. */
  readonly writeScope: string | null
  /** Arguments after redaction, for judging the call again under another policy. */
  readonly request?: Json
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface EffectOutcome {
  readonly turn: TurnContext
  readonly result: EffectResult
  readonly durable: View
  readonly at: number
  /** Arguments after redaction, of a call that had no intent. */
  readonly request?: Json
  /** By policy, as in its intent: its outcome is not waited for. Default: false. */
  readonly readOnly?: boolean
}
