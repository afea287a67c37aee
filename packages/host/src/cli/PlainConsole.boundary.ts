/** The console that the parser writes its help and its complaints to: without colours where nobody sees them. */

import { stripVTControlCharacters } from "node:util"
import * as Effect from "effect/Effect"

/** Runs `command` with help on standard output and complaints on standard error. */
export const withPlainConsole =
  (colours: boolean) =>
  <A, E, R>(command: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.consoleWith((console) =>
      Effect.withConsole(command, {
        ...console,
        log: (...values) => Effect.sync(() => void process.stdout.write(shown(values, colours))),
        error: (...values) => Effect.sync(() => void process.stderr.write(shown(values, colours)))
      })
    )

const shown = (values: ReadonlyArray<unknown>, colours: boolean): string => {
  const text = values.map(String).join(" ")
  return `${(colours ? text : stripVTControlCharacters(text)).trimEnd()}\n`
}
