/**
 * Time as processes see it. A process does not end sooner because a test has turned Effect's clock, so waiting for one
 * is waiting in real time, whatever clock the rest of the host lives by.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

const realClock = Clock.make()

/** Runs `effect` by the machine's own clock. */
export const inRealTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withClock(effect, realClock)

/** Milliseconds of a clock that is never set back; only ever to be compared with another of them. */
export const monotonicMillis = (): number => performance.now()
