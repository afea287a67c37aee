/**
 * Who owns what. Scopes are issued here and recognised here: one of another store, a copy, or one kept after the host
 * has closed is refused. The person who runs the host is the local owner, made when the store is first opened.
 */
import { Entropy, makeIdentifier, PrincipalId, SessionId } from "@gatehouse/core/Identifiers"
import { makePrincipalIssuer, type PrincipalIssuer } from "@gatehouse/core/PrincipalIssuer"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { PrincipalScopes } from "@gatehouse/core/PrincipalScopes"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { text } from "../Row.ts"
import { statement } from "../Statement.ts"
import { Store, type StoreShape } from "../Store.ts"
import { StoreError } from "../StoreError.ts"

/** The scope was not issued here, was revoked, or its host has closed; or it may not do this. */
export class ScopeRefused extends Data.TaggedError("ScopeRefused")<{
  readonly message: string
  readonly remedy: string
}> {}

/** Session that events of the host itself are logged under. */
export const hostSession = SessionId("host")

/** Name of the principal that owns what the person at this machine starts. */
export const localName = "local"

export class Principals extends Context.Tag("@gatehouse/control-plane/Principals")<
  Principals,
  {
    /** The local owner, as a user. */
    readonly local: PrincipalScope
    /** The local owner as an operator, who sees what every principal of this host owns. Every one is an event. */
    readonly operator: (reason: string) => Effect.Effect<PrincipalScope, StoreError>
    /** The scope of a principal by its name, made where it is new. For hosts that know their users; never from a payload. */
    readonly user: (name: string) => Effect.Effect<PrincipalScope, StoreError>
    readonly recognises: (scope: PrincipalScope) => boolean
    /** Passes for a scope that is recognised. */
    readonly require: (scope: PrincipalScope) => Effect.Effect<void, ScopeRefused>
    /** `use`, for a scope that is recognised when it runs. */
    readonly onBehalfOf: <A, E>(
      scope: PrincipalScope,
      use: () => Effect.Effect<A, E>
    ) => Effect.Effect<A, E | ScopeRefused>
    /** Passes for an operator that is recognised. */
    readonly requireOperator: (scope: PrincipalScope) => Effect.Effect<void, ScopeRefused>
    /** The scope is not recognised any more; others of its principal are. */
    readonly revoke: (scope: PrincipalScope) => Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<Principals, StoreError, Store> = Layer.scoped(
    Principals,
    Effect.gen(function* () {
      const store = yield* Store
      const issuer = yield* scopedIssuer
      const local = issuer.issue(yield* principalNamed(store, localName), "user")
      return {
        ...judging(issuer, local),
        user: (name) => Effect.map(principalNamed(store, name), (id) => issuer.issue(id, "user")),
        operator: Effect.fn("Principals.operator")(function* (reason: string) {
          yield* recordOperator(store, local.id, reason)
          return issuer.issue(local.id, "operator")
        })
      }
    })
  )

  /** Without a store: principals last as long as the process. */
  static readonly layerMemory: Layer.Layer<Principals> = Layer.scoped(
    Principals,
    Effect.gen(function* () {
      const issuer = yield* scopedIssuer
      const entropy = yield* Entropy
      const known = new Map<string, PrincipalId>()
      const named = (name: string): PrincipalId => {
        const id = known.get(name) ?? PrincipalId(makeIdentifier("principal", entropy))
        known.set(name, id)
        return id
      }
      const local = issuer.issue(named(localName), "user")
      return {
        ...judging(issuer, local),
        user: (name) => Effect.sync(() => issuer.issue(named(name), "user")),
        operator: () => Effect.sync(() => issuer.issue(local.id, "operator"))
      }
    })
  )

  /** The port by which the pipeline asks. */
  static readonly layerScopes: Layer.Layer<PrincipalScopes, never, Principals> = Layer.effect(
    PrincipalScopes,
    Effect.map(Principals, ({ recognises }) => ({ recognises }))
  )
}

const scopedIssuer: Effect.Effect<PrincipalIssuer, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(makePrincipalIssuer),
  (issuer) => Effect.sync(() => issuer.close())
)

const judging = (issuer: PrincipalIssuer, local: PrincipalScope) => ({
  local,
  recognises: issuer.recognises,
  revoke: (scope: PrincipalScope) => Effect.sync(() => issuer.revoke(scope)),
  require: (scope: PrincipalScope): Effect.Effect<void, ScopeRefused> =>
    Effect.suspend(() => (issuer.recognises(scope) ? Effect.void : Effect.fail(notRecognised))),
  onBehalfOf: <A, E>(scope: PrincipalScope, use: () => Effect.Effect<A, E>) =>
    Effect.suspend(
      (): Effect.Effect<A, E | ScopeRefused> => (issuer.recognises(scope) ? use() : Effect.fail(notRecognised))
    ),
  requireOperator: (scope: PrincipalScope): Effect.Effect<void, ScopeRefused> =>
    Effect.suspend(() => {
      if (!issuer.recognises(scope)) return Effect.fail(notRecognised)
      return scope.kind === "operator" ? Effect.void : Effect.fail(notOperator)
    })
})

const notRecognised = new ScopeRefused({
  message: "the scope is not one of this host's, or not valid any more",
  remedy: "use the scope that this host issued for this run"
})

const notOperator = new ScopeRefused({
  message: "only an operator may do this",
  remedy: "ask for it as the operator of this host"
})

/** Two hosts that ask for one name get one principal. */
const principalNamed = Effect.fnUntraced(function* (store: StoreShape, name: string) {
  const find = store.read(selectPrincipal(name), (row) => PrincipalId(text(row, "id")))
  const [known] = yield* find
  if (known !== undefined) return known
  const now = yield* Clock.currentTimeMillis
  yield* store.write({ statements: [insertPrincipal(makeIdentifier("principal", yield* Entropy), name, now)] })
  const [made] = yield* find
  if (made !== undefined) return made
  return yield* new StoreError({
    reason: "corrupt",
    message: `the store ${store.location} does not keep the principal that was written`,
    remedy: "`gatehouse doctor` looks for what is wrong with the home"
  })
})

const recordOperator = Effect.fnUntraced(function* (store: StoreShape, principal: PrincipalId, reason: string) {
  const at = yield* Clock.currentTimeMillis
  const event = {
    type: "principal.operator",
    session: hostSession,
    turn: null,
    call: null,
    at,
    data: { principal, reason }
  }
  yield* store.write({ statements: [], events: [event] })
})

const selectPrincipal = statement("SELECT id FROM principals WHERE name = ? AND revoked_at IS NULL")
const insertPrincipal = statement(
  "INSERT INTO principals (id, name, created_at) VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING"
)
