/** Waiting for something that may be written here or by another process. */
import * as Effect from "effect/Effect"
import type { StoreShape } from "../Store.ts"

/** Milliseconds that more commits may gather before somebody looks again. */
const gatherMillis = 10

/** Ends when it is worth to look again: shortly after a commit of this process, or after `pollMillis`. */
export const news = (store: StoreShape, pollMillis: number): Effect.Effect<void> =>
  Effect.zipRight(Effect.raceFirst(store.nextCommit, Effect.sleep(pollMillis)), Effect.sleep(gatherMillis))
