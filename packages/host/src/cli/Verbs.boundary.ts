/** Loads what a verb needs when it is asked for: `gatehouse --help` pays for none of it. */
import * as Effect from "effect/Effect"

export const loadCall = Effect.promise(() => import("./verbs/Call.ts"))
export const loadCheck = Effect.promise(() => import("./verbs/Check.ts"))
