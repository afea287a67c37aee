/** Loads what a verb needs when it is asked for: `gatehouse --help` pays for none of it. */
import * as Effect from "effect/Effect"

export const loadCall = Effect.promise(() => import("./verbs/Call.ts"))
export const loadCheck = Effect.promise(() => import("./verbs/Check.ts"))
export const loadCatalog = Effect.promise(() => import("./verbs/Catalog.ts"))
export const loadDoctor = Effect.promise(() => import("./verbs/Doctor.ts"))

export const loadTour = Effect.promise(() => import("./verbs/Tour.ts"))
export const loadInit = Effect.promise(() => import("./verbs/Init.ts"))
export const loadServe = Effect.promise(() => import("./verbs/Serve.ts"))
