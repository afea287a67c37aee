/** The arguments of a call as they are kept with its record: redacted, so that it can be judged again. */
import type { Json } from "@gatehouse/core/Json"
import type { Dependencies } from "./Dependencies.ts"
import type { EndedCall } from "./Ending.ts"
import { sourcesOf } from "./Settlement.ts"

/** Characters as JSON; a longer request is not kept. */
export const keptRequestLimit = 65_536

/** Nothing where the request is too long, or could not be redacted. */
export const keptRequest = (
  call: Pick<EndedCall, "arguments" | "secrets">,
  dependencies: Pick<Dependencies, "redactor" | "hostEnvironment">
): { readonly request?: Json } => {
  if (JSON.stringify(call.arguments).length > keptRequestLimit) return {}
  const redacted = dependencies.redactor.redact(
    { args: call.arguments, result: null, error: null },
    sourcesOf(call, dependencies)
  )
  return redacted === null ? {} : { request: redacted.args }
}
