/** Other processes on the same home. They run what `tsc -b` built: build before you test. */

import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import * as Effect from "effect/Effect"

export interface Child {
  readonly process: ChildProcess
  /** Lines on standard output so far. */
  readonly lines: Array<string>
  readonly errors: Array<string>
  /** Exit status, or null where a signal ended it. */
  readonly ended: Promise<number | null>
}

/** Starts `fixtures/<script>`; the scope ends it. */
export const child = (script: string, args: ReadonlyArray<string>, options: { readonly uid?: number } = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => start(script, args, options)),
    ({ process, ended }) =>
      Effect.promise(() => {
        process.kill("SIGKILL")
        return ended
      })
  )

const start = (script: string, args: ReadonlyArray<string>, options: { readonly uid?: number }): Child => {
  const started = spawn(process.execPath, [join(import.meta.dirname, "..", "fixtures", script), ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    ...options
  })
  const lines: Array<string> = []
  const errors: Array<string> = []
  let rest = ""
  started.stdout.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split("\n")
    rest = parts.pop() ?? ""
    lines.push(...parts)
  })
  started.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()))
  const ended = new Promise<number | null>((resolve) => started.on("close", (code) => resolve(code)))
  return { process: started, lines, errors, ended }
}

/** Waits until the child has said `line`, for ten seconds at most. */
export const said = (child: Child, line: string) =>
  Effect.gen(function* () {
    for (let tries = 0; tries < 1_000; tries++) {
      if (child.lines.includes(line)) return
      yield* Effect.sleep(10)
    }
    return yield* Effect.dieMessage(`the child did not say ${line}: ${child.errors.join("")}`)
  })
