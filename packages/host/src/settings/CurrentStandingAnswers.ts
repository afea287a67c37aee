/**
 * The standing answers of the home's settings as they are when a question comes up: an answer that was added or removed
 * while the host runs counts from the next question on.
 */
import { hostSession, type Principals } from "@gatehouse/control-plane/principals/Principals"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import type { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import {
  compileStandingAnswers,
  noStandingAnswers,
  type StandingAnswers
} from "@gatehouse/policy/approvals/standing/StandingAnswers"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { decodeSettings, type HostSettingsError, readSettingsText } from "./ReadHostSettings.boundary.ts"
import { withPrincipalIds } from "./StandingPrincipals.ts"

/**
 * An effect that is read for each question. What the host was started with counts until the text of the file changes;
 * then the file counts. Settings that became wrong, or cannot be read any more, give no answer at all: a person is
 * asked, and an event says why.
 */
export const currentStandingAnswers = (
  root: string,
  started: ReadonlyArray<StandingAnswer>
): Effect.Effect<Effect.Effect<StandingAnswers>, never, Principals | RuntimeEvents> =>
  Effect.gen(function* () {
    const events = yield* RuntimeEvents
    const context = yield* Effect.context<Principals>()

    const refused = ({ message }: { readonly message: string }): Effect.Effect<StandingAnswers> =>
      Clock.currentTimeMillis.pipe(
        Effect.flatMap((at) =>
          events.publish({
            type: "settings.refused",
            session: hostSession,
            turn: null,
            call: null,
            at,
            data: { message, consequence: "no standing answer counts until the settings are mended" }
          })
        ),
        Effect.as(noStandingAnswers)
      )
    const compiled = (answers: Effect.Effect<ReadonlyArray<StandingAnswer>, HostSettingsError>) =>
      Effect.flatMap(answers, compileWithIds).pipe(Effect.provide(context), Effect.catchAll(refused))

    let kept = {
      text: yield* Effect.orElseSucceed(readSettingsText(root), () => null),
      answers: yield* compiled(Effect.succeed(started))
    }
    return readSettingsText(root).pipe(
      Effect.flatMap((text) => {
        if (kept.text === text) return Effect.succeed(kept.answers)
        const settings = decodeSettings(text)
        return Effect.tap(compiled(Effect.map(settings, (placed) => placed.settings.standing_answers)), (answers) =>
          Effect.sync(() => void (kept = { text, answers }))
        )
      }),
      Effect.catchAll(refused)
    )
  })

const compileWithIds = (answers: ReadonlyArray<StandingAnswer>) =>
  Effect.flatMap(withPrincipalIds(answers), (named) => compileStandingAnswers(named))
