/** The real standard streams behind {@link Output}. */
import { asHost } from "@gatehouse/adapters/authored/GuestCode.boundary"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Output } from "./Output.ts"

const write = (stream: NodeJS.WriteStream, text: string): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (stream.destroyed) return resume(Effect.void)
    asHost(() => stream.write(text, () => resume(Effect.void)))
  })

/** Standard output and standard error of this process. A closed pipe ends the writing, not the work. */
export const outputLayer = (environment: Readonly<Record<string, string | undefined>>): Layer.Layer<Output> =>
  Layer.sync(Output, () => {
    for (const stream of [process.stdout, process.stderr]) stream.on("error", ignoreClosedPipe)
    return {
      result: (text) => write(process.stdout, `${text}\n`),
      note: (text) => write(process.stderr, `${text}\n`),
      live: (_stream, text) => void asHost(() => process.stderr.write(text)),
      colours: process.stdout.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb",
      interactive: process.stdin.isTTY === true && process.stderr.isTTY === true,
      columns: process.stdout.columns ?? 100
    }
  })

/** Whoever read is gone (`gatehouse catalog | head`): there is nobody left to tell. */
const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") throw error
}
