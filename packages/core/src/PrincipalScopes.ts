/** The port by which the pipeline asks whether a scope is one of this host's, and still valid. */
import * as Context from "effect/Context"
import type { PrincipalScope } from "./PrincipalScope.ts"

export class PrincipalScopes extends Context.Tag("@gatehouse/core/PrincipalScopes")<
  PrincipalScopes,
  { readonly recognises: (scope: PrincipalScope) => boolean }
>() {}
