/** One call by name for direct callers of the host: one resolve, then the request that came of it. */
import { BindingError } from "@gatehouse/core/EffectError"
import { CallId, Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Turn } from "../turns/Turns.ts"
import { EffectRuntime } from "./EffectRuntime.ts"
import { unboundCall } from "./UnboundCall.ts"

/**
 * Resolves `name` in the turn's catalog and executes what it is bound to. A name that the catalog does not hold ends as
 * `not_found`, in the same words whether it does not exist or is not for this principal to see.
 */
export const executeCall = Effect.fnUntraced(function* (turn: Turn, name: string, args: unknown) {
  return yield* executeCallAs(yield* newCallId, turn, name, args)
})

export const newCallId = Effect.map(Entropy, (entropy) => CallId(makeIdentifier("call", entropy)))

/** As {@link executeCall}, for callers that watch their call under its id. */
export const executeCallAs = Effect.fnUntraced(function* (callId: CallId, turn: Turn, name: string, args: unknown) {
  const runtime = yield* EffectRuntime
  const call = { callId, tool: name, catalog: turn.catalog.id }
  const ref = turn.catalog.resolve(name)
  if (ref === null) return unboundCall(call, "not_found", unknownName)
  const request = turn.catalog.request(ref, args, callId)
  return Either.isLeft(request)
    ? unboundCall(call, "invalid", request.left)
    : yield* runtime.execute(request.right, turn.context)
})

/** The error of a name that no entry of the catalog has. */
export const unknownName = new BindingError({
  reason: "unknown_name",
  message: "no tool of that name is in this turn's catalog",
  remedy: "tools_list, or `gatehouse catalog`, shows the names"
})
