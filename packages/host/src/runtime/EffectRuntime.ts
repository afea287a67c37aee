/**
 * The dispatcher: one request for one effect walks the eight stages and comes back as one typed result.
 */
import type { EffectRequest } from "@gatehouse/core/EffectRequest"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

export class EffectRuntime extends Context.Tag("@gatehouse/host/EffectRuntime")<
  EffectRuntime,
  {
    /**
     * Never fails: whatever happens is an {@link EffectResult}. When the calling fiber is interrupted, what became of
     * the effect is recorded first, and the interruption goes on.
     */
    readonly execute: (request: EffectRequest, turn: TurnContext) => Effect.Effect<EffectResult>
  }
>() {}
