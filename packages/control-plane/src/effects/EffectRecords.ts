/**
 * The durable side of a call: an intent before its adapter starts, an outcome after. An intent without an outcome is an
 * effect that nobody knows the end of; the next host says so (`Hosts`). A store that cannot write refuses the intent, and
 * the effect does not start.
 */
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { CallId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { View } from "@gatehouse/core/View"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Hosts } from "../hosts/Hosts.ts"
import { Principals, type ScopeRefused } from "../principals/Principals.ts"
import type { Statement } from "../Statement.ts"
import { Store, type StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import {
  type EffectRecord,
  type IntentRow,
  insertIntent,
  selectCall,
  selectOpen,
  selectRecent,
  toRecord,
  upsertOutcome
} from "./EffectRows.ts"

export interface EffectIntent {
  readonly callId: CallId
  readonly turn: TurnContext
  readonly entry: EffectEntry
  /** Redacted and bounded, as all that is kept. */
  readonly action: string
  readonly target: string
  /** By policy: such an intent is not waited for. */
  readonly readOnly: boolean
  /** Two intents with the same scope are not open at once, whatever host they are of. */
  readonly writeScope: string | null
  /** Arguments after redaction, for judging the call again under another policy. */
  readonly request?: Json
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface EffectOutcome {
  readonly turn: TurnContext
  readonly result: EffectResult
  readonly durable: View
  readonly at: number
}

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
     * On the disk when it returns, where the adapter began. The first outcome counts; only what another host assumed
     * about a call is replaced by what its own host knows.
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
      const principals = yield* Principals
      return {
        intend: (intent) =>
          intent.readOnly
            ? store.post({ statements: [insertIntent(intentRow(intent, hosts.id))] })
            : intendDurably(store, hosts.sweep, insertIntent(intentRow(intent, hosts.id)), intent),
        settle: ({ turn, result, durable, at }) => {
          const change = { statements: [upsertOutcome(turn, result, durable, at, hosts.id)] }
          return result.executionStarted ? Effect.asVoid(store.write(change)) : store.post(change)
        },
        get: (scope, call) =>
          Effect.zipRight(
            principals.require(scope),
            Effect.map(store.read(selectCall(scope, call), toRecord), ([found]) => found ?? null)
          ),
        recent: (scope, before, limit = effectPage) =>
          Effect.zipRight(
            principals.require(scope),
            store.read(selectRecent(scope, before, Math.min(limit, effectPage)), toRecord)
          ),
        open: (scope) =>
          Effect.zipRight(principals.requireOperator(scope), store.read(selectOpen(effectPage), toRecord))
      }
    })
  )
}

const intentRow = (intent: EffectIntent, host: string): IntentRow => ({
  ...intent,
  request: intent.request ?? null,
  host
})

/** A scope that a dead host still holds is freed first. */
const intendDurably = Effect.fnUntraced(function* (
  store: StoreShape,
  sweep: Effect.Effect<unknown, StoreError>,
  insert: Statement,
  intent: EffectIntent
) {
  const write = Effect.map(store.write({ statements: [insert] }), ([rows]) => (rows?.length ?? 0) > 0)
  if (yield* write) return
  const known = yield* store.read(selectCall(intent.turn.principal, intent.callId), toRecord)
  if (known.length > 0) return yield* duplicate
  yield* sweep
  if (yield* write) return
  return yield* writeScopeTaken
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
