/** The eight stages for an effect that no model asked for: opening a server, say. Same order, same result. */
import type * as Effect from "effect/Effect"
import type { EffectResult } from "./EffectResult.ts"
import type { SourceEntry } from "./EffectSource.ts"
import type { Json } from "./Json.ts"

export interface Gate {
  /** Walks `entry` with `args` through all stages under the turn's authority. */
  readonly pass: (entry: SourceEntry, args: Json) => Effect.Effect<EffectResult>
}
