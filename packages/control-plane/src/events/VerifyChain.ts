/** Walks the events of a store and says whether they are the ones that were written. */
import * as Effect from "effect/Effect"
import { integer } from "../Row.ts"
import type { StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { type ChainVerdict, walkChain } from "./EventChain.ts"
import { chainEnds, eventPage, selectStrays, selectUpTo, toEvent } from "./EventRows.ts"

/** What is appended while it walks is left to the next walk; where retention cuts meanwhile, it walks again. */
export const verifyChain = (store: StoreShape): Effect.Effect<ChainVerdict, StoreError> =>
  Effect.gen(function* () {
    const { start, end } = yield* chainEnds(store)
    const walk = walkChain(start)
    let after = start.position
    while (after < end.position) {
      const page = yield* store.read(selectUpTo(after, end.position, eventPage), toEvent)
      page.forEach(walk.visit)
      after = page.at(-1)?.position ?? end.position
      yield* Effect.yieldNow()
    }
    const [stray] = yield* store.read(selectStrays(), (row) => integer(row, "position"))
    const now = yield* chainEnds(store)
    return now.start.position === start.position ? walk.finish(end, stray ?? null) : yield* verifyChain(store)
  })
