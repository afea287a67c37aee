/**
 * Who works on a named thing: one host at a time. A lease lasts until its scope closes or its host dies; every holder
 * has a higher fence than the one before, so that what a former holder still says can be told apart.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { decodeRows } from "../internal/StoreFaults.ts"
import { integer } from "../Row.ts"
import { statement } from "../Statement.ts"
import { Store, type StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { Hosts } from "./Hosts.ts"

export interface Lease {
  readonly resource: string
  /** Higher than that of every earlier holder. */
  readonly fence: number
}

/** A living host holds it. */
export class LeaseHeld extends Data.TaggedError("LeaseHeld")<{
  readonly resource: string
  readonly message: string
  readonly remedy: string
}> {}

export class Leases extends Context.Tag("@gatehouse/control-plane/Leases")<
  Leases,
  {
    /** Holds `resource` until the scope closes. A lease of a dead host is taken over at once. */
    readonly hold: (resource: string) => Effect.Effect<Lease, LeaseHeld | StoreError, Scope.Scope>
    /** Whether nobody else has taken the resource since. */
    readonly isCurrent: (lease: Lease) => Effect.Effect<boolean, StoreError>
  }
>() {
  static readonly layer: Layer.Layer<Leases, never, Store | Hosts> = Layer.effect(
    Leases,
    Effect.gen(function* () {
      const store = yield* Store
      const hosts = yield* Hosts
      const take = (resource: string) => tryTake(store, resource, hosts.id)
      const hold = Effect.fn("Leases.hold")(function* (resource: string) {
        yield* hosts.join
        const lease = (yield* take(resource)) ?? (yield* Effect.zipRight(hosts.sweep, take(resource)))
        if (lease === null) {
          return yield* new LeaseHeld({
            resource,
            message: `another host holds ${resource}`,
            remedy: "wait until it is done there, or end that host"
          })
        }
        return lease
      })
      return {
        hold: (resource) =>
          Effect.acquireRelease(hold(resource), (lease) => Effect.ignoreLogged(release(store, lease))),
        isCurrent: (lease) =>
          Effect.map(
            store.read(selectFence(lease.resource), (row) => integer(row, "fence")),
            ([fence]) => fence === lease.fence
          )
      }
    })
  )
}

const tryTake = Effect.fnUntraced(function* (store: StoreShape, resource: string, host: string) {
  const now = yield* Clock.currentTimeMillis
  const rows = yield* store.write({ statements: [takeLease(resource, host, now)] }, "process")
  const [fence] = yield* decodeRows(store.location, rows[0], (row) => integer(row, "fence"))
  return fence === undefined ? null : { resource, fence }
})

const release = Effect.fnUntraced(function* (store: StoreShape, lease: Lease) {
  const now = yield* Clock.currentTimeMillis
  yield* store.write({ statements: [releaseLease(now, lease.resource, lease.fence)] }, "process")
})

const takeLease = statement(
  `INSERT INTO leases (resource, host, fence, acquired_at) VALUES (?, ?, 1, ?)
   ON CONFLICT (resource) DO UPDATE SET
     host = excluded.host, fence = leases.fence + 1, acquired_at = excluded.acquired_at, released_at = NULL
   WHERE leases.released_at IS NOT NULL
     OR NOT EXISTS (SELECT 1 FROM hosts WHERE hosts.id = leases.host AND hosts.ended_at IS NULL)
   RETURNING fence`
)
const releaseLease = statement("UPDATE leases SET released_at = ? WHERE resource = ? AND fence = ?")
const selectFence = statement("SELECT fence FROM leases WHERE resource = ?")
