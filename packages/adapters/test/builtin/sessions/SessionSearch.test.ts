/** `session_search`: nothing is read before it runs, and nobody reads beyond its own session but an operator. */

import { assert, describe, it } from "@effect/vitest"
import { HistoryAccess } from "@gatehouse/adapters/builtin/sessions/HistoryAccess"
import { sessionSearchEntry } from "@gatehouse/adapters/builtin/sessions/SessionSearch"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Store } from "@gatehouse/control-plane/Store"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { PlanRefused } from "@gatehouse/core/EffectPlan"
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { planCall, turnIn } from "../../support/CallEntry.ts"

/** Text of every statement that is read. */
const traced = (statements: Array<string>) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store): typeof Store.Service => ({
      ...store,
      read: (statement, decode) => {
        statements.push(statement.text)
        return store.read(statement, decode)
      },
      first: (statement, decode) => {
        statements.push(statement.text)
        return store.first(statement, decode)
      }
    }))
  ).pipe(Layer.provide(Store.layerMemory))

const scene = Effect.gen(function* () {
  const sessions = yield* Sessions
  const principals = yield* Principals
  const own = yield* sessions.create(principals.local, { title: "own", coreRoot: null })
  const sibling = yield* sessions.create(principals.local, { title: "sibling", coreRoot: null })
  for (const { id } of [own, sibling]) {
    yield* sessions.append(
      principals.local,
      id,
      Array.from({ length: 60 }, (_, index) => ({ role: "user", text: `needle ${index} in ${id}` }))
    )
  }
  const entry = yield* sessionSearchEntry
  const ask = (principal: PrincipalScope, args: Json) => {
    const { plan, run } = planCall(entry, args, turnIn("/", { principal, session: own.id }))
    if (plan instanceof PlanRefused) throw new Error(plan.message)
    return { plan, data: Effect.map(Effect.scoped(run), ({ output }) => output.data) }
  }
  return { entry, ask, principals, own, sibling }
})

const withScene = <A, E>(
  use: (parts: Effect.Effect.Success<typeof scene>, statements: Array<string>) => Effect.Effect<A, E>
) => {
  const statements: Array<string> = []
  return Effect.flatMap(scene, (parts) => Effect.suspend(() => use(parts, statements))).pipe(
    Effect.provide(
      HistoryAccess.layer.pipe(
        Layer.provideMerge(Sessions.layer),
        Layer.provideMerge(Principals.layer),
        Layer.provide(traced(statements))
      )
    )
  )
}

const list = (data: Json, field: string): ReadonlyArray<Json> => {
  const found = data !== null && isJsonObject(data) ? data[field] : undefined
  return Array.isArray(found) ? found : []
}

describe("session_search", () => {
  it.live("needs session.read, which no core can rename, and an approval of medium risk", () =>
    withScene(({ ask, entry, principals }) =>
      Effect.sync(() => {
        assert.deepInclude(entry, {
          capability: "session.read",
          capabilityFixed: true,
          policy: "prompt",
          tightenOnly: true,
          risk: "medium"
        })
        for (const args of [{}, { query: "needle" }, { session_id: "session_1" }]) {
          assert.deepInclude(ask(principals.local, args).plan, { policy: "prompt", risk: "medium", readOnly: true })
        }
      })
    )
  )

  it.live("reads nothing before it runs", () =>
    withScene(({ ask, own, principals }, statements) =>
      Effect.gen(function* () {
        for (const args of [{}, { query: "needle" }, { session_id: own.id }]) {
          statements.length = 0
          const { data } = ask(principals.local, args)
          assert.deepStrictEqual(statements, [], "read while planning")
          yield* data
          assert.notDeepEqual(statements, [])
        }
      })
    )
  )

  it.live("shows a user the session of its turn, and no other", () =>
    withScene(({ ask, own, principals, sibling }, statements) =>
      Effect.gen(function* () {
        const of = (args: Json) => ask(principals.local, args).data
        const found = list(yield* of({ query: "needle" }), "found")
        assert.strictEqual(found.length, 10)
        assert.isTrue(found.every((one) => isJsonObject(one) && one["session_id"] === own.id))
        assert.strictEqual(list(yield* of({ query: "needle", limit: 50 }), "found").length, 50)
        assert.strictEqual(list(yield* of({}), "sessions").length, 1)
        assert.strictEqual(list(yield* of({ session_id: own.id, after: 55 }), "messages").length, 5)
        statements.length = 0
        for (const id of [sibling.id, "session_missing"]) {
          assert.deepStrictEqual(yield* of({ session_id: id }), { messages: [] })
          assert.deepStrictEqual(yield* of({ session_id: id, query: "needle" }), { found: [] })
        }
        assert.deepStrictEqual(statements, [])
      })
    )
  )

  it.live("shows an operator all sessions", () =>
    withScene(({ ask, principals, sibling }) =>
      Effect.gen(function* () {
        const operator = yield* principals.operator("test")
        const of = (args: Json) => ask(operator, args).data
        assert.strictEqual(list(yield* of({}), "sessions").length, 2)
        assert.strictEqual(list(yield* of({ session_id: sibling.id }), "messages").length, 10)
        const found = list(yield* of({ query: "needle 59" }), "found")
        assert.strictEqual(found.length, 2)
        assert.notStrictEqual(
          JSON.stringify(ask(operator, {}).plan.approvalShape),
          JSON.stringify(ask(principals.local, {}).plan.approvalShape)
        )
      })
    )
  )

  it.live("takes 50 at most", () =>
    withScene(({ entry, principals, own }) =>
      Effect.sync(() => {
        const { plan } = planCall(entry, { limit: 51 }, turnIn("/", { principal: principals.local, session: own.id }))
        assert.instanceOf(plan, PlanRefused)
      })
    )
  )
})
