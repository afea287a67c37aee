/** Scopes: issued here, recognised here, gone with the host. */

import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayer, controlPlaneLayerMemory } from "@gatehouse/control-plane/ControlPlane"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { PrincipalScopes } from "@gatehouse/core/PrincipalScopes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { homeAt, temporaryHome } from "./support/homes.ts"

describe("a scope", () => {
  it.scopedLive("belongs to one owner over restarts, and to one run of the host", () =>
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const local = Effect.map(Principals, (principals) => principals.local)
      const opened = Effect.provide(Layer.provide(controlPlaneLayer, homeAt(root)))
      const first = yield* local.pipe(opened)
      yield* Effect.gen(function* () {
        const now = yield* local
        assert.strictEqual(now.id, first.id)
        const { recognises } = yield* PrincipalScopes
        assert.isTrue(recognises(now))
        assert.isFalse(recognises(first))
        assert.strictEqual((yield* Effect.flip((yield* Sessions).list(first)))._tag, "ScopeRefused")
      }).pipe(opened)
    })
  )

  it.live("is not recognised as a copy, from another store, or once it was revoked", () =>
    Effect.gen(function* () {
      const principals = yield* Principals
      const other = yield* Effect.provide(
        Effect.map(Principals, ({ local }) => local),
        controlPlaneLayerMemory
      )
      // What a payload could hold: the same fields, and the word that would make an operator.
      const forged = { id: principals.local.id, kind: "operator" } as PrincipalScope
      for (const scope of [other, forged, { ...principals.local }]) {
        assert.isFalse(principals.recognises(scope))
        assert.strictEqual((yield* Effect.flip(principals.require(scope)))._tag, "ScopeRefused")
      }
      const ada = yield* principals.user("ada")
      const again = yield* principals.user("ada")
      assert.strictEqual(ada.id, again.id)
      yield* principals.revoke(ada)
      assert.isFalse(principals.recognises(ada))
      assert.isTrue(principals.recognises(again))
    }).pipe(Effect.provide(controlPlaneLayerMemory))
  )

  it.live("of an operator leaves an event with its reason", () =>
    Effect.gen(function* () {
      const principals = yield* Principals
      const operator = yield* principals.operator("answers a question of ada")
      assert.strictEqual((yield* Effect.flip(principals.requireOperator(principals.local)))._tag, "ScopeRefused")
      yield* principals.requireOperator(operator)
      const [event] = yield* (yield* EventLog).read(operator, {})
      assert.deepInclude(event, { type: "principal.operator" })
      assert.include(event?.data, "answers a question of ada")
    }).pipe(Effect.provide(controlPlaneLayerMemory))
  )

  it.live("works the same without a store", () =>
    Effect.gen(function* () {
      const principals = yield* Principals
      assert.isTrue(principals.recognises(principals.local))
      assert.strictEqual((yield* principals.user("ada")).id, (yield* principals.user("ada")).id)
    }).pipe(Effect.provide(Principals.layerMemory))
  )
})
