/** Copies a file to standard output, and on while it grows. */

import { createReadStream, statSync } from "node:fs"
import { stripVTControlCharacters } from "node:util"
import * as Effect from "effect/Effect"
import { CommandFailed } from "./ExitStatus.ts"

/** Bytes as they are where they are piped; on a terminal without its control sequences. */
export const copyToOutput = <E, R>(
  path: string,
  isGrowing: Effect.Effect<boolean, E, R>
): Effect.Effect<void, E | CommandFailed, R> =>
  Effect.gen(function* () {
    let from = 0
    while (true) {
      const growing = yield* isGrowing
      from = yield* copyFrom(path, from)
      if (!growing) return
      yield* Effect.sleep("200 millis")
    }
  })

/** Copies what lies behind `start`; answers where it ended. */
const copyFrom = (path: string, start: number): Effect.Effect<number, CommandFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const end = statSync(path).size
      if (end <= start) return start
      for await (const chunk of createReadStream(path, { start, end: end - 1, signal })) {
        const bytes = Buffer.from(chunk)
        const shown = process.stdout.isTTY === true ? stripVTControlCharacters(bytes.toString("utf8")) : bytes
        if (!process.stdout.write(shown)) await new Promise<void>((resolve) => process.stdout.once("drain", resolve))
      }
      return end
    },
    catch: (error) =>
      new CommandFailed({
        status: "failed",
        message: `the artifact cannot be read: ${error instanceof Error && "code" in error ? String(error.code) : "unknown fault"}`,
        remedy: ""
      })
  })
