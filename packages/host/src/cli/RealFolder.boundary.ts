/** Where a folder really is: links resolved, and certainly a folder. */

import { realpathSync, statSync } from "node:fs"
import * as Effect from "effect/Effect"
import { CommandFailed } from "./ExitStatus.ts"

/** The resolved path of the folder at `path` (absolute). */
export const realFolder = (path: string): Effect.Effect<string, CommandFailed> =>
  Effect.suspend(() => {
    try {
      const resolved = realpathSync(path)
      if (statSync(resolved).isDirectory()) return Effect.succeed(resolved)
      return refused(`--workspace: ${path} is no folder`)
    } catch (error) {
      return refused(
        `--workspace: ${path} cannot be used (${error instanceof Error && "code" in error ? String(error.code) : "unknown fault"})`
      )
    }
  })

const refused = (message: string): Effect.Effect<never, CommandFailed> =>
  new CommandFailed({ status: "invalid", message, remedy: "name an existing folder with --workspace" })
