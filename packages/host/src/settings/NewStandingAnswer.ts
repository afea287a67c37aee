/** A standing answer that is about to be kept: from a suggestion or from scratch, with its reason and its last day. */
import type { Json } from "@gatehouse/core/Json"
import { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { changeStandingAnswers } from "./ChangeSettings.boundary.ts"
import type { HostSettingsError } from "./ReadHostSettings.boundary.ts"
import { withStandingAnswer } from "./StandingText.ts"

/** Days for which an answer is kept where its owner names no end. */
export const defaultStandingDays = 90

/** The day (UTC, as YYYY-MM-DD) that many days behind `now`, milliseconds since the epoch. */
export const dayAfter = (now: number, days: number): string =>
  new Date(now + days * 86_400_000).toISOString().slice(0, 10)

/** What its owner adds to a suggestion. */
export interface StandingTerms {
  readonly reason: string
  readonly until: string
}

/** A suggestion, as a question's record holds it, with its terms; null where both together are no standing answer. */
export const answerFromOffer = (offered: Json, terms: StandingTerms): StandingAnswer | null => {
  const decoded = typeof offered === "object" && offered !== null ? decode({ ...offered, ...terms }) : null
  return decoded !== null && decoded._tag === "Right" ? decoded.right : null
}

const decode = Schema.decodeUnknownEither(StandingAnswer, { onExcessProperty: "error" })

/** Keeps `answer` in the settings of the home at `root`, behind the others; answers with its number. */
export const keepStandingAnswer = (root: string, answer: StandingAnswer): Effect.Effect<number, HostSettingsError> =>
  Effect.map(
    changeStandingAnswers(root, (text) => withStandingAnswer(text, answer)),
    ({ standing_answers }) => standing_answers.length
  )
