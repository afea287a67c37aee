/** Loads what a command line needs: a client that starts `serve` waits for its first answer, so that loads little. */
import * as Effect from "effect/Effect"
import type { Places } from "./GlobalOptions.ts"

export const loadCommandProcess = Effect.promise(() => import("./CommandProcess.boundary.ts"))

export const loadServeStdio = (places: Places) =>
  Effect.flatMap(
    Effect.promise(() => import("./verbs/ServeStdio.ts")),
    ({ serveStdio }) => serveStdio(places)
  )
