/**
 * Issues and recognises principal scopes. Held by the host's store alone (a lint rule keeps others away).
 */
import type { PrincipalId } from "./Identifiers.ts"
import type { PrincipalKind, PrincipalScope } from "./PrincipalScope.ts"

export interface PrincipalIssuer {
  /** A new scope. Two scopes of one principal are two values: revoking one leaves the other. */
  readonly issue: (id: PrincipalId, kind: PrincipalKind) => PrincipalScope
  /** Whether this issuer made `scope` and neither revoked it nor was closed since. Copies are not recognised. */
  readonly recognises: (scope: PrincipalScope) => boolean
  readonly revoke: (scope: PrincipalScope) => void
  /** After this nothing is recognised any more. */
  readonly close: () => void
}

export const makePrincipalIssuer = (): PrincipalIssuer => {
  const live = new WeakSet<PrincipalScope>()
  let closed = false
  return {
    issue: (id, kind) => {
      // The one cast that makes a scope: its brand exists in the type system only.
      const scope = Object.freeze({ id, kind }) as PrincipalScope
      live.add(scope)
      return scope
    },
    recognises: (scope) => !closed && live.has(scope),
    revoke: (scope) => void live.delete(scope),
    close: () => {
      closed = true
    }
  }
}
