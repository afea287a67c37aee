/** Puts cases to their kinds, and compares what they answer with what each must. */
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { disagreements } from "./Agreement.ts"
import type { CheckKind, CheckRefused } from "./CheckKind.ts"
import type { ExpectedCase } from "./Expectations.ts"

/** A case that was put, and where its answer differs; nothing where it agrees. */
export interface ComparedCase {
  readonly case: ExpectedCase
  readonly kind: string
  readonly faults: ReadonlyArray<string>
}

/** The answer to one question, with the time that it took. */
export const decideTimed = (kind: CheckKind, input: unknown): Effect.Effect<Json, CheckRefused> =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeNanos
    const answer = yield* kind.decide(input)
    const micros = Number(((yield* Clock.currentTimeNanos) - before) / 1000n)
    return isJsonObject(answer) ? { ...answer, micros } : answer
  })

/** Puts one case. An input that is no question of its kind is a fault of the case. */
export const compareCase = (kind: CheckKind, expected: ExpectedCase): Effect.Effect<ComparedCase> =>
  decideTimed(kind, expected.input).pipe(
    Effect.match({
      onFailure: (refused) => [refused.message],
      onSuccess: (answer) => disagreements(expected.expect, answer)
    }),
    Effect.map((faults) => ({ case: expected, kind: kind.name, faults }))
  )
