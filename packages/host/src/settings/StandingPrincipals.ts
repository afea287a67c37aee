/** How standing answers name principals: by the name that the owner of the host knows (`local`), or by their id. */
import { localName, Principals } from "@gatehouse/control-plane/principals/Principals"
import type { StoreError } from "@gatehouse/control-plane/StoreError"
import type { PrincipalId } from "@gatehouse/core/Identifiers"
import type { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** `answers` with the id of each principal that they name; one that is new is made, as wherever a host names a user. */
export const withPrincipalIds = (
  answers: ReadonlyArray<StandingAnswer>
): Effect.Effect<ReadonlyArray<StandingAnswer>, StoreError, Principals> =>
  Effect.flatMap(Principals, (principals) =>
    Effect.forEach(answers, (answer) =>
      Effect.map(idOf(answer.principal, principals), (principal) => ({ ...answer, principal }))
    )
  )

/** The name that a standing answer is kept under for a principal of this host. */
export const principalName =
  ({ local }: Pick<Context.Tag.Service<typeof Principals>, "local">) =>
  (id: PrincipalId): string =>
    id === local.id ? localName : id

const idOf = (name: string, principals: Context.Tag.Service<typeof Principals>): Effect.Effect<string, StoreError> => {
  if (name === localName) return Effect.succeed(principals.local.id)
  return isId.test(name) ? Effect.succeed(name) : Effect.map(principals.user(name), ({ id }) => id)
}

/** As `makeIdentifier` writes it. */
const isId = /^principal_[0-9a-f]{32}$/
