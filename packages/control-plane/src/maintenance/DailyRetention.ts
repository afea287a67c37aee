/** Retention as a habit: once a day, by one host of a store, however many there are and however long each lives. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { Leases } from "../hosts/Leases.ts"
import { integer } from "../Row.ts"
import { statement } from "../Statement.ts"
import { Store } from "../Store.ts"
import { applyRetention, type RetentionSettings } from "./Retention.ts"

/** Who holds it cleans up; when it was held last stands beside it. */
export const retentionResource = "retention"

/** Milliseconds between two cleanings. */
const periodMillis = 86_400_000

/** Milliseconds between two looks whether it is time. */
const lookMillis = 3_600_000

/** Looks at once and every hour. The first host of a new store cleans up a day later: there is nothing to go yet. */
export const dailyRetentionLayer = (settings: RetentionSettings): Layer.Layer<never, never, Store | Leases> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const store = yield* Store
      const leases = yield* Leases
      const look = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const last = yield* store.first(selectHeld(retentionResource), (row) => integer(row, "acquired_at"))
        // A clock that was set back makes nobody wait for the future.
        if (last !== null && last <= now && now - last < periodMillis) return
        yield* Effect.scoped(
          Effect.zipRight(
            leases.hold(retentionResource),
            last === null ? Effect.void : Effect.uninterruptible(applyRetention(store, settings))
          )
        )
      })
      yield* Effect.forkScoped(
        look.pipe(
          Effect.catchTag("LeaseHeld", () => Effect.void),
          Effect.ignoreLogged,
          Effect.repeat(Schedule.spaced(lookMillis))
        )
      )
    })
  )

const selectHeld = statement("SELECT acquired_at FROM leases WHERE resource = ?")
