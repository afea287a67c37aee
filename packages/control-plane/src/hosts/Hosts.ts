/**
 * The processes that begin something in a store. Each registers before its first and says that it lives every few seconds; what a host
 * leaves begun when it dies is ended by the next one, and what a living host has begun is left alone.
 */
import { Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { integer, nullableInteger, type Row, text } from "../Row.ts"
import { statement } from "../Statement.ts"
import { Store, type StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { type HostMarker, look, ownMarker } from "./HostMarker.boundary.ts"
import { endHost, type LeftBehind, nothingLeft } from "./LeftBehind.ts"

/** Milliseconds after which a host that cannot be seen and has not spoken counts as gone. */
export const hostPatienceMillis = 60_000

/** Milliseconds between two signs of life. */
export const renewalMillis = 10_000

export interface HostRecord {
  readonly id: string
  /** Grows with every registration; what this host writes under a lease names it. */
  readonly fence: number
  readonly marker: HostMarker
  /** Milliseconds since the epoch. */
  readonly registeredAt: number
  readonly renewedAt: number
  readonly expiresAt: number
  /** Null while it lives. */
  readonly endedAt: number | null
}

export class Hosts extends Context.Tag("@gatehouse/control-plane/Hosts")<
  Hosts,
  {
    /** Names this process in what it begins. */
    readonly id: string
    /** Registers this process, once: before it begins anything that another host may have to end. */
    readonly join: Effect.Effect<void, StoreError>
    /** Those that have registered and not ended. */
    readonly live: Effect.Effect<ReadonlyArray<HostRecord>, StoreError>
    /** Ends what dead hosts left begun, and says what that was. Done once when the store is opened. */
    readonly sweep: Effect.Effect<LeftBehind, StoreError>
    /** What the sweep at the start found. */
    readonly foundAtStart: LeftBehind
  }
>() {
  static readonly layer: Layer.Layer<Hosts, StoreError, Store> = Layer.scoped(
    Hosts,
    Effect.gen(function* () {
      const store = yield* Store
      const id = makeIdentifier("host", yield* Entropy)
      const membership = yield* joinOnce(store, id)
      const sweep = sweepDead(store, id)
      yield* Effect.addFinalizer(() => Effect.ignoreLogged(membership.whileMember(endHost(store, id, null, id))))
      yield* Effect.forkScoped(
        Effect.repeat(
          Effect.ignoreLogged(membership.whileMember(renew(store, id))),
          Schedule.spaced(renewalMillis)
        ).pipe(Effect.delay(renewalMillis))
      )
      return { id, join: membership.join, live: liveHosts(store), sweep, foundAtStart: yield* sweep }
    })
  )
}

/** Writes are carried out in the order they come: whoever writes after `join` finds the host registered. */
const joinOnce = Effect.fnUntraced(function* (store: StoreShape, id: string) {
  const marker = yield* ownMarker
  let member = false
  const register = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const values = [id, marker.boot, marker.namespace, marker.pid, marker.started, now, now, now + hostPatienceMillis]
    return store.post({ statements: [insertHost(...values)] })
  })
  return {
    join: Effect.suspend(() => {
      if (member) return Effect.void
      member = true
      return Effect.tapError(register, () => Effect.sync(() => (member = false)))
    }),
    whileMember: <A>(effect: Effect.Effect<A, StoreError>) =>
      Effect.suspend(() => (member ? Effect.asVoid(effect) : Effect.void))
  }
})

/** A host that another one has given up speaks again: it is there, and what was ended for it stays ended. */
const renew = Effect.fnUntraced(function* (store: StoreShape, id: string) {
  const now = yield* Clock.currentTimeMillis
  yield* store.write({ statements: [renewHost(now, now + hostPatienceMillis, id)] }, "process")
})

const liveHosts = (store: StoreShape) => store.read(selectLive(), toHost)

const sweepDead = Effect.fnUntraced(function* (store: StoreShape, own: string) {
  const hosts = yield* liveHosts(store)
  const dead = yield* Effect.filter(
    hosts.filter((host) => host.id !== own),
    isDead
  )
  const found = yield* Effect.forEach(dead, (host) => endHost(store, host.id, host.renewedAt, own))
  return found.reduce(
    (all, one) => ({ effects: [...all.effects, ...one.effects], tasks: [...all.tasks, ...one.tasks] }),
    nothingLeft
  )
})

/** A process that can be looked for is judged by what is seen, whatever the clock says. */
const isDead = Effect.fnUntraced(function* (host: HostRecord) {
  const sight = yield* look(host.marker)
  if (sight !== "unknown") return sight === "gone"
  return (yield* Clock.currentTimeMillis) > host.expiresAt
})

const toHost = (row: Row): HostRecord => ({
  id: text(row, "id"),
  fence: integer(row, "fence"),
  marker: {
    boot: text(row, "boot"),
    namespace: text(row, "namespace"),
    pid: integer(row, "pid"),
    started: text(row, "started")
  },
  registeredAt: integer(row, "registered_at"),
  renewedAt: integer(row, "renewed_at"),
  expiresAt: integer(row, "expires_at"),
  endedAt: nullableInteger(row, "ended_at")
})

const insertHost = statement(
  `INSERT INTO hosts (id, fence, boot, namespace, pid, started, registered_at, renewed_at, expires_at)
   VALUES (?, (SELECT coalesce(max(fence), 0) + 1 FROM hosts), ?, ?, ?, ?, ?, ?, ?)`
)
const renewHost = statement(
  "UPDATE hosts SET renewed_at = ?, expires_at = ?, ended_at = NULL, ended_by = NULL WHERE id = ?"
)
const selectLive = statement(
  `SELECT id, fence, boot, namespace, pid, started, registered_at, renewed_at, expires_at, ended_at
   FROM hosts WHERE ended_at IS NULL ORDER BY fence`
)
