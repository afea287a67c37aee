/** How one effect is planned and done. Two halves and no more. */
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AdapterOutcome } from "./AdapterOutcome.ts"
import type { Authorized } from "./Authorized.ts"
import type { AdapterError } from "./EffectError.ts"
import type { EffectPlan, PlanRefused } from "./EffectPlan.ts"
import type { Json } from "./Json.ts"
import type { TurnContext } from "./TurnContext.ts"

export interface EffectAdapter<Prepared> {
  /**
   * Says what would happen. Synchronous and without side effects: it may read local files for what it judges or
   * shows, and sends no packet. `args` has passed the entry's schema.
   */
  readonly plan: (args: Json, turn: TurnContext) => EffectPlan<Prepared> | PlanRefused
  /**
   * Does it. When it is interrupted (deadline, cancellation) it undoes or ends what it began before it lets go, and
   * tells the witness what it saw, and what it could not confirm.
   */
  readonly run: (authorized: Authorized<Prepared>) => Effect.Effect<AdapterOutcome, AdapterError, Scope.Scope>
}

/** An adapter whose prepared value only itself knows: plan and run are one pair that nobody can mix up. */
export interface OpaqueAdapter {
  readonly use: <A>(visit: <Prepared>(adapter: EffectAdapter<Prepared>) => A) => A
}

/** Hides the type of what an adapter prepares. */
export const opaque = <Prepared>(adapter: EffectAdapter<Prepared>): OpaqueAdapter => ({
  use: (visit) => visit(adapter)
})
