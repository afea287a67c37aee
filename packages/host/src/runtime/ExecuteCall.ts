/** One call by name for direct callers of the host: one resolve, then the request that came of it. */
import { BindingError } from "@gatehouse/core/EffectError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { CallId, Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import { stages } from "@gatehouse/core/Stage"
import type { Status } from "@gatehouse/core/Status"
import { sameView } from "@gatehouse/policy/redaction/Redactor"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Turn } from "../turns/Turns.ts"
import { EffectRuntime } from "./EffectRuntime.ts"

/**
 * Resolves `name` in the turn's catalog and executes what it is bound to. A name that the catalog does not hold ends as
 * `not_found`, in the same words whether it does not exist or is not for this principal to see.
 */
export const executeCall = Effect.fnUntraced(function* (turn: Turn, name: string, args: unknown) {
  const runtime = yield* EffectRuntime
  const callId = CallId(makeIdentifier("call", yield* Entropy))
  const ref = turn.catalog.resolve(name)
  if (ref === null) return unbound(turn, callId, name, "not_found", unknownName)
  const request = turn.catalog.request(ref, args, callId)
  return Either.isLeft(request)
    ? unbound(turn, callId, name, "invalid", request.left)
    : yield* runtime.execute(request.right, turn.context)
})

const unknownName = new BindingError({
  reason: "unknown_name",
  message: "no tool of that name is in this turn's catalog",
  remedy: "tools_list, or `gatehouse catalog`, shows the names"
})

/** A call that no request could be made for. Its name and arguments are the caller's, so no view repeats them. */
const unbound = (turn: Turn, callId: CallId, tool: string, status: Status, error: BindingError): EffectResult => ({
  callId,
  tool,
  catalog: turn.catalog.id,
  status,
  executionStarted: false,
  mayHaveHappened: false,
  error,
  provenance: null,
  stages: stages.map((stage, index) => ({
    stage,
    verdict: index === 0 ? "refused" : "skipped",
    rule: index === 0 ? error.message : "an earlier stage ended the call",
    micros: 0
  })),
  views: sameView({ text: `${status}: ${error.message}. ${error.remedy}.`, data: { status, executionStarted: false } })
})
