/**
 * On whose behalf something happens. A scope is issued by a host to itself ({@link PrincipalIssuer}); no request,
 * payload or file can name or make one.
 */
import type { PrincipalId } from "./Identifiers.ts"

/** `user` owns what it starts; `operator` may also look at what others of this host own. */
export type PrincipalKind = "user" | "operator"

declare const issued: unique symbol

/** Opaque and frozen; compared by identity. Only an issuer makes one. */
export interface PrincipalScope {
  readonly [issued]: true
  readonly id: PrincipalId
  readonly kind: PrincipalKind
}
