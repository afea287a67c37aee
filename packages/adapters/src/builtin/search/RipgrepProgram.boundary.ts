/** Where the search program is. Its package says so when it is imported, and not before it is needed. */
import { AdapterError } from "@gatehouse/core/EffectError"
import * as Effect from "effect/Effect"

export const ripgrepPath: Effect.Effect<string, AdapterError> = Effect.tryPromise({
  try: async () => (await import("@vscode/ripgrep")).rgPath,
  catch: () =>
    new AdapterError({
      reason: "unsupported",
      message: "the search program is not there for this platform",
      remedy: "install the optional dependencies of @vscode/ripgrep, or search with the terminal",
      mayHaveHappened: false
    })
})
