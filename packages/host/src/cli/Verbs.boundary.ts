/** Loads what a verb needs when it is asked for: `gatehouse --help` pays for none of it. */
import * as Effect from "effect/Effect"

export const loadCall = Effect.promise(() => import("./verbs/Call.ts"))
export const loadCheck = Effect.promise(() => import("./verbs/Check.ts"))
export const loadCheckCall = Effect.promise(() => import("./verbs/CheckCall.ts"))
export const loadCheckAll = Effect.promise(() => import("./verbs/CheckAll.ts"))
export const loadCompareCases = Effect.promise(() => import("./CompareCases.ts"))
export const loadCallKind = Effect.promise(() => import("./CallKind.ts"))
export const loadCatalog = Effect.promise(() => import("./verbs/Catalog.ts"))
export const loadDoctor = Effect.promise(() => import("./verbs/Doctor.ts"))

export const loadTour = Effect.promise(() => import("./verbs/Tour.ts"))
export const loadInit = Effect.promise(() => import("./verbs/Init.ts"))
export const loadServe = Effect.promise(() => import("./verbs/Serve.ts"))
export const loadServeHost = Effect.promise(() => import("./verbs/ServeHost.ts"))
export const loadStandingAnswers = Effect.promise(() => import("./verbs/StandingAnswers.ts"))
export const loadApprovals = Effect.promise(() => import("./verbs/Approvals.ts"))
export const loadArtifacts = Effect.promise(() => import("./verbs/Artifacts.ts"))
export const loadEvents = Effect.promise(() => import("./verbs/Events.ts"))
export const loadRecords = Effect.promise(() => import("./verbs/Sessions.ts"))
export const loadImport = Effect.promise(() => import("./verbs/Import.ts"))
export const loadMcp = Effect.promise(() => import("./verbs/Mcp.ts"))
