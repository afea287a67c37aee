/** Asks an adapter for its plan. An adapter that breaks off while it plans has started nothing. */

import type { EffectAdapter } from "@gatehouse/core/EffectAdapter"
import { DefectError } from "@gatehouse/core/EffectError"
import type { EffectPlan, PlanRefused } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Either from "effect/Either"

/** The plan, the adapter's own refusal, or the defect that ended it. */
export const planOrDefect = <Prepared>(
  adapter: EffectAdapter<Prepared>,
  args: Json,
  turn: TurnContext
): Either.Either<EffectPlan<Prepared> | PlanRefused, { readonly error: DefectError; readonly cause: unknown }> =>
  Either.try({
    try: () => adapter.plan(args, turn),
    catch: (cause) => ({
      cause,
      error: new DefectError({
        stage: "preflight",
        message: "planning the call broke off with an internal error; nothing was started",
        remedy: "see the debug view, and report it as a bug"
      })
    })
  })
