/** What the owner of a host, never a core, may change about the environment of children. */
import * as Schema from "effect/Schema"
import { isEnvironmentName, isOwnName } from "./EnvironmentNames.ts"

const InheritedName = Schema.String.pipe(
  Schema.filter((name) => isEnvironmentName(name) && !isOwnName(name), {
    message: () => "a name of a letter or underscore, then letters, digits and underscores, and none of Gatehouse's own"
  })
)

/**
 * `inherit`: more names that children get from the host (`SSH_AUTH_SOCK`, say); `home`: `private`, a folder of the
 * host's own for this, or `host`, the home that the host itself has.
 *
 * @example
 * // settings of the host
 * // environment:
 * //   inherit: [SSH_AUTH_SOCK]
 * //   home: private
 */
export const EnvironmentSettings = Schema.Struct({
  inherit: Schema.optionalWith(Schema.Array(InheritedName), { default: () => [] }),
  home: Schema.optionalWith(Schema.Literal("private", "host"), { default: () => "private" as const })
})
export type EnvironmentSettings = typeof EnvironmentSettings.Type

/** Nothing but the list, and a private home. */
export const defaultEnvironmentSettings: EnvironmentSettings = { inherit: [], home: "private" }
