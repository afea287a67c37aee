/** `gatehouse init [DIR]`: a small agent core that works at once. */

import { basename, join, resolve } from "node:path"
import { starterCore } from "@gatehouse/catalog/starter/StarterCore"
import * as Effect from "effect/Effect"
import { CommandFailed } from "../ExitStatus.ts"
import { Invocation } from "../Invocation.ts"
import { Output } from "../Output.ts"
import { writeFresh } from "../WriteFresh.boundary.ts"

export interface InitArguments {
  readonly folder: string
  readonly json: boolean
}

/** Writes files that are not there yet; where one is, nothing is written at all. */
export const runInit = Effect.fn("gatehouse init")(function* (args: InitArguments) {
  const output = yield* Output
  const invocation = yield* Invocation
  const folder = resolve(invocation.cwd, args.folder)
  const files = starterCore(basename(folder))
  const taken = yield* writeFresh(folder, files)
  if (taken !== null) {
    return yield* new CommandFailed({
      status: "invalid",
      message: `${join(folder, taken)} is there already; nothing was written`,
      remedy: "name another folder: gatehouse init DIR"
    })
  }
  const paths = Object.keys(files)
  yield* output.result(
    args.json
      ? JSON.stringify({ folder, files: paths })
      : `Made an agent core in ${folder}:\n${paths.map((path) => `  ${path}`).join("\n")}\n\nLook at it:  gatehouse catalog --core ${args.folder}`
  )
})
