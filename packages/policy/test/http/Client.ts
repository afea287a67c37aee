/** A client whose names all lead to loopback. */
import { SafeHttp, type SafeHttpSettings } from "@gatehouse/policy/http/SafeHttp"
import { Resolver } from "@gatehouse/policy/urls/Resolver"
import { UrlPolicy, type UrlPolicySettings } from "@gatehouse/policy/urls/UrlPolicy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export const loopbackNames = {
  "site.example": ["127.0.0.1"],
  "other.example": ["127.0.0.2"],
  "wrong.example": ["127.0.0.1"],
  "six.example": ["::1"],
  "dead-first.example": ["127.0.0.3", "127.0.0.1"]
}

export const clientLayer = (
  settings: SafeHttpSettings = {},
  policy: UrlPolicySettings = { mode: "private-allowed" },
  resolver: Layer.Layer<Resolver> = Resolver.layerTable(loopbackNames)
) => SafeHttp.layer(settings).pipe(Layer.provideMerge(UrlPolicy.layer(policy)), Layer.provide(resolver), Layer.orDie)

/** Runs a test with a client of its own, its servers and connections closed at the end. */
export const withClient = <A, E>(
  test: (http: SafeHttp["Type"]) => Effect.Effect<A, E, import("effect/Scope").Scope | SafeHttp | UrlPolicy>,
  ...client: Parameters<typeof clientLayer>
) => Effect.flatMap(SafeHttp, test).pipe(Effect.scoped, Effect.provide(clientLayer(...client)))
