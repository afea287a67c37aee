/** Reads what a command is given: standard input, or a file. Bounded while it is read. */

import { createReadStream } from "node:fs"
import * as Effect from "effect/Effect"
import { CommandFailed } from "./ExitStatus.ts"

/** Bytes of one input at most. */
const inputLimitBytes = 64 * 1024 * 1024

/** The text of `source`: `-` is standard input, anything else a file. */
export const readInput = (source: string): Effect.Effect<string, CommandFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const stream = source === "-" ? process.stdin : createReadStream(source, { signal })
      const chunks: Array<Buffer> = []
      let size = 0
      for await (const chunk of stream) {
        const bytes = Buffer.from(chunk)
        size += bytes.length
        if (size > inputLimitBytes) throw new Error(`is larger than ${inputLimitBytes / 1024 / 1024} MiB`)
        chunks.push(bytes)
      }
      return Buffer.concat(chunks).toString("utf8")
    },
    catch: (error) =>
      new CommandFailed({
        status: "invalid",
        message: `${source === "-" ? "standard input" : source} cannot be read: ${error instanceof Error ? error.message : "unknown fault"}`,
        remedy: "name a readable file, or - for standard input"
      })
  })
