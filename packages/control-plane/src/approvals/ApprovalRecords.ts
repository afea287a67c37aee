/**
 * Pending approvals in the store: one record per question, answered by whatever surface and process comes first. It
 * survives a restart of the host within its deadline, and after that its answer is a denial by `deadline`.
 */
import type { ApprovalId } from "@gatehouse/core/Identifiers"
import {
  type ApprovalResolution,
  ApprovalStoreError,
  type PendingApproval,
  PendingApprovals
} from "@gatehouse/core/PendingApprovals"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { news } from "../internal/News.ts"
import { Principals, type ScopeRefused } from "../principals/Principals.ts"
import { Store, type StoreShape } from "../Store.ts"
import { StoreError } from "../StoreError.ts"
import {
  type ApprovalFilter,
  type ApprovalRecord,
  insertApproval,
  resolveApproval,
  selectApproval,
  selectById,
  selectPendingOf,
  selectRecords,
  toApproval,
  toRecord
} from "./ApprovalRows.ts"

/** Milliseconds between two looks for an answer that another process may have given. */
export const approvalPollMillis = 100

/** Milliseconds that a question stays open at most, whatever its record says. */
const pendingMostMillis = 600_000

/** Records of one answer at most. */
export const approvalPage = 200

/** Who answers where nobody did in time. */
export const deadlineAnswer = "deadline"

export type Resolved = "recorded" | "late" | "not_found"

export class ApprovalRecords extends Context.Tag("@gatehouse/control-plane/ApprovalRecords")<
  ApprovalRecords,
  {
    /** Newest first: own ones, and all for an operator. */
    readonly list: (
      scope: PrincipalScope,
      filter: ApprovalFilter
    ) => Effect.Effect<ReadonlyArray<ApprovalRecord>, ScopeRefused | StoreError>
    /** Null where there is none of this scope. */
    readonly get: (
      scope: PrincipalScope,
      id: ApprovalId
    ) => Effect.Effect<ApprovalRecord | null, ScopeRefused | StoreError>
    /** Answers one question of this scope; a foreign one is `not_found`. */
    readonly answer: (
      scope: PrincipalScope,
      id: ApprovalId,
      answer: string,
      by: string
    ) => Effect.Effect<Resolved, ScopeRefused | StoreError>
  }
>() {
  static readonly layer: Layer.Layer<ApprovalRecords, never, Store | Principals> = Layer.effect(
    ApprovalRecords,
    Effect.gen(function* () {
      const store = yield* Store
      const { onBehalfOf } = yield* Principals
      const get = (scope: PrincipalScope, id: ApprovalId) =>
        onBehalfOf(scope, () => store.first(selectApproval(scope, id), toRecord))
      return {
        list: (scope, filter) =>
          onBehalfOf(scope, () =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              store.read(selectRecords(scope, filter, now, approvalPage), toRecord)
            )
          ),
        get,
        answer: Effect.fn("ApprovalRecords.answer")(function* (
          scope: PrincipalScope,
          id: ApprovalId,
          answer: string,
          by: string
        ) {
          if ((yield* get(scope, id)) === null) return "not_found"
          return yield* resolve(store, id, { answer, by, at: yield* Clock.currentTimeMillis })
        })
      }
    })
  )

  /** The port that policy asks through. */
  static readonly layerPending: Layer.Layer<PendingApprovals, never, Store> = Layer.effect(
    PendingApprovals,
    Effect.map(Store, (store) => ({
      open: (approval) => asApprovalError(open(store, approval)),
      resolution: (id) => asApprovalError(resolution(store, id)),
      resolve: (id, given) => asApprovalError(resolve(store, id, given)),
      list: (principal) =>
        asApprovalError(
          Effect.flatMap(Clock.currentTimeMillis, (now) => store.read(selectPendingOf(principal, now), toApproval))
        )
    }))
  )
}

const asApprovalError = <A>(effect: Effect.Effect<A, StoreError>): Effect.Effect<A, ApprovalStoreError> =>
  Effect.mapError(effect, ({ message, remedy }) => new ApprovalStoreError({ message: `${message}; ${remedy}` }))

const open = (store: StoreShape, approval: PendingApproval) =>
  Effect.asVoid(store.write({ statements: [insertApproval(approval)] }))

/** The first answer counts. One that comes after the deadline is late, and the record says so. */
const resolve = Effect.fnUntraced(function* (store: StoreShape, id: ApprovalId, given: ApprovalResolution) {
  const [known] = yield* store.read(selectById(id), toRecord)
  if (known === undefined) return "not_found"
  if (known.resolution !== null) return "late"
  const now = yield* Clock.currentTimeMillis
  const inTime = now < known.approval.deadline
  const [rows] = yield* store.write({
    statements: [resolveApproval(inTime || given.by === deadlineAnswer ? given : expired(now), id)]
  })
  return rows?.length === 1 && (inTime || given.by === deadlineAnswer) ? "recorded" : "late"
})

const expired = (at: number): ApprovalResolution => ({ answer: "deny", by: deadlineAnswer, at })

/** What is left of the deadline is measured once, on the steady clock: setting the wall clock back prolongs nothing. */
const resolution = Effect.fnUntraced(function* (store: StoreShape, id: ApprovalId) {
  const look = store.read(selectById(id), toRecord)
  const [record] = yield* look
  if (record === undefined) return yield* unknownQuestion(store.location)
  const patience = Math.min(record.approval.deadline - (yield* Clock.currentTimeMillis), pendingMostMillis)
  const answered: Effect.Effect<ApprovalResolution, StoreError> = Effect.flatMap(look, ([found]) =>
    found === undefined || found.resolution === null
      ? Effect.zipRight(news(store, approvalPollMillis), answered)
      : Effect.succeed(found.resolution)
  )
  const outOfTime = Effect.gen(function* () {
    yield* Effect.sleep(Math.max(0, patience))
    yield* store.write({ statements: [resolveApproval(expired(yield* Clock.currentTimeMillis), id)] })
    return yield* answered
  })
  return yield* record.resolution === null ? Effect.raceFirst(answered, outOfTime) : Effect.succeed(record.resolution)
})

const unknownQuestion = (location: string): StoreError =>
  new StoreError({
    reason: "missing",
    message: `the store ${location} has no such approval`,
    remedy: "`gatehouse approvals` lists the open ones"
  })
