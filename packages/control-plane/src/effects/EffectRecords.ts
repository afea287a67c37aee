/**
 * The durable side of a call: an intent before its adapter starts, an outcome after. An intent without an outcome is an
 * effect that nobody knows the end of; the next host says so (`Hosts`). A store that cannot write refuses the intent, and
 * the effect does not start.
 */
import type { CallId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Hosts } from "../hosts/Hosts.ts"
import { Principals, type ScopeRefused } from "../principals/Principals.ts"
import { Store, type StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import type { EffectIntent, EffectOutcome } from "./EffectIntent.ts"
import {
  type EffectRecord,
  insertIntent,
  selectCall,
  selectOpen,
  selectRecent,
  toRecord,
  upsertOutcome
} from "./EffectRows.ts"

/** The call has a record already, or its write scope is taken. */
export class EffectRecordRefused extends Data.TaggedError("EffectRecordRefused")<{
  readonly reason: "duplicate" | "write_scope"
  readonly message: string
  readonly remedy: string
}> {}

/** Calls in one answer at most. */
export const effectPage = 500

export class EffectRecords extends Context.Tag("@gatehouse/control-plane/EffectRecords")<
  EffectRecords,
  {
    /** On the disk when it returns, unless the call is read-only; then it is on its way, and refused where nothing can be written. */
    readonly intend: (intent: EffectIntent) => Effect.Effect<void, EffectRecordRefused | StoreError>
    /**
     * On the disk when it returns, where the adapter of a call that may have changed something began. The first outcome
     * counts; only what another host assumed about a call is replaced by what its own host knows.
     */
    readonly settle: (outcome: EffectOutcome) => Effect.Effect<void, StoreError>
    /** One call; a foreign one and a missing one are the same answer. */
    readonly get: (scope: PrincipalScope, call: CallId) => Effect.Effect<EffectRecord | null, ScopeRefused | StoreError>
    /** Newest first, `before` a position; own calls for a user, all for an operator. */
    readonly recent: (
      scope: PrincipalScope,
      before: number,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<EffectRecord>, ScopeRefused | StoreError>
    /** Begun and not ended, of all living hosts. Operators only. */
    readonly open: (scope: PrincipalScope) => Effect.Effect<ReadonlyArray<EffectRecord>, ScopeRefused | StoreError>
  }
>() {
  static readonly layer: Layer.Layer<EffectRecords, never, Store | Hosts | Principals> = Layer.effect(
    EffectRecords,
    Effect.gen(function* () {
      const store = yield* Store
      const hosts = yield* Hosts
      const { onBehalfOf, requireOperator } = yield* Principals
      return {
        intend: (intent) =>
          intent.readOnly
            ? Effect.zipRight(hosts.join, store.post({ statements: [insertIntent(intent, hosts.id)] }))
            : Effect.zipRight(hosts.join, intendDurably(store, hosts, intent)),
        settle: ({ turn, result, durable, at, readOnly = false, request }) => {
          const change = { statements: [upsertOutcome(turn, result, durable, at, hosts.id, request)] }
          return result.executionStarted && !readOnly ? Effect.asVoid(store.write(change)) : store.post(change)
        },
        get: (scope, call) => onBehalfOf(scope, () => store.first(selectCall(scope, call), toRecord)),
        recent: (scope, before, limit = effectPage) =>
          onBehalfOf(scope, () => store.read(selectRecent(scope, before, Math.min(limit, effectPage)), toRecord)),
        open: (scope) => Effect.zipRight(requireOperator(scope), store.read(selectOpen(effectPage), toRecord))
      }
    })
  )
}

const intendDurably = (
  store: StoreShape,
  hosts: Context.Tag.Service<Hosts>,
  intent: EffectIntent
): Effect.Effect<void, EffectRecordRefused | StoreError> =>
  Effect.flatMap(store.write({ statements: [insertIntent(intent, hosts.id)] }), ([rows]) =>
    rows?.length === 1 ? Effect.void : intendAgain(store, hosts, intent)
  )

/** Something stands in the way. A scope that a dead host still holds is freed. */
const intendAgain = Effect.fnUntraced(function* (
  store: StoreShape,
  hosts: Context.Tag.Service<Hosts>,
  intent: EffectIntent
) {
  const known = yield* store.read(selectCall(intent.turn.principal, intent.callId), toRecord)
  if (known.length > 0) return yield* duplicate
  yield* hosts.sweep
  const [rows] = yield* store.write({ statements: [insertIntent(intent, hosts.id)] })
  if (rows?.length !== 1) return yield* writeScopeTaken
})

const duplicate = new EffectRecordRefused({
  reason: "duplicate",
  message: "this call has begun before, and no call is made twice",
  remedy: "ask for it anew as another call"
})

const writeScopeTaken = new EffectRecordRefused({
  reason: "write_scope",
  message: "another effect is writing to the same place",
  remedy: "try again when it has ended"
})
