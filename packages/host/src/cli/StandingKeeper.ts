/** Where "always for …" at a prompt is kept. A prompter without one does not offer it. */

import { join } from "node:path"
import type { StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settingsFileName } from "../settings/HostSettings.ts"
import { keepStandingAnswer } from "../settings/NewStandingAnswer.ts"

export class StandingKeeper extends Context.Tag("@gatehouse/host/StandingKeeper")<
  StandingKeeper,
  {
    /** The file, for people. */
    readonly place: string
    /** Keeps it for good; answers with its number. A failure has changed nothing. */
    readonly keep: (answer: StandingAnswer) => Effect.Effect<number, { readonly message: string }>
  }
>() {
  /** In the settings of the home at `root`. */
  static readonly layer = (root: string): Layer.Layer<StandingKeeper> =>
    Layer.succeed(StandingKeeper, {
      place: join(root, settingsFileName),
      keep: (answer) => keepStandingAnswer(root, answer)
    })
}
