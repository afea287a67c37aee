/** What this process writes to its own standard streams while something runs. */

import * as Effect from "effect/Effect"

type Write = typeof process.stdout.write

/** Copies what is written to `into` until the scope closes; it is written all the same. */
export const tapConsole = (into: Array<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => [process.stdout, process.stderr].map((stream) => tap(stream, into))),
    (restores) => Effect.sync(() => restores.forEach((restore) => void restore()))
  )

const tap = (stream: NodeJS.WriteStream, into: Array<string>): (() => void) => {
  const original = stream.write
  const copying = (...args: Parameters<Write>): boolean => {
    into.push(typeof args[0] === "string" ? args[0] : Buffer.from(args[0]).toString("latin1"))
    return Reflect.apply(original, stream, args)
  }
  // The overloads of `write` take the same arguments, which are handed on as they are.
  stream.write = copying as Write
  return () => {
    stream.write = original
  }
}
