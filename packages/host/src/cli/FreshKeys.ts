/** Keys count from the question on: what was typed before it could be read is no answer to it. */
import { Terminal } from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** How long what was typed ahead may take to arrive, after the terminal hands keys over one by one. */
const arrivalMillis = 150

/** The same terminal, its keys without those that were typed ahead; Ctrl-C among them goes on stopping everything. */
export const freshKeysLayer: Layer.Layer<Terminal, never, Terminal> = Layer.effect(
  Terminal,
  Effect.map(Terminal, (terminal) =>
    Terminal.of({
      ...terminal,
      readInput: Effect.tap(terminal.readInput, (keys) =>
        Effect.zipRight(Effect.sleep(arrivalMillis), Effect.exit(keys.clear))
      )
    })
  )
)
