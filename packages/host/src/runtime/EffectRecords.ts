/**
 * The durable side of a call: an intent before its adapter starts, an outcome after. After a crash the intents without
 * an outcome are the effects that nobody knows the end of.
 */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { CallId } from "@gatehouse/core/Identifiers"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { View } from "@gatehouse/core/View"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export interface EffectIntent {
  readonly callId: CallId
  readonly turn: TurnContext
  readonly entry: EffectEntry
  /** Redacted and bounded. */
  readonly action: string
  readonly target: string
  /** By policy: such an intent need not be durable before the adapter starts. */
  readonly readOnly: boolean
  readonly writeScope: string | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface EffectOutcome {
  readonly turn: TurnContext
  readonly result: EffectResult
  readonly durable: View
  readonly at: number
}

/** The store cannot write: effects fail closed before they start. */
export class EffectRecordError extends Data.TaggedError("EffectRecordError")<{
  readonly message: string
  readonly remedy: string
}> {}

export class EffectRecords extends Context.Tag("@gatehouse/host/EffectRecords")<
  EffectRecords,
  {
    readonly intend: (intent: EffectIntent) => Effect.Effect<void, EffectRecordError>
    readonly settle: (outcome: EffectOutcome) => Effect.Effect<void, EffectRecordError>
  }
>() {
  /** Keeps nothing: for hosts without a store, which cannot say after a crash what had begun. */
  static readonly layerNone: Layer.Layer<EffectRecords> = Layer.succeed(EffectRecords, {
    intend: () => Effect.void,
    settle: () => Effect.void
  })
}
