/** Loads the native module only when a store is opened: whoever opens none does not pay for it. */
import * as Effect from "effect/Effect"

export const loadSqlite = Effect.promise(() => import("./SqliteStore.boundary.ts"))
