/** Writes files into a folder, and only where nothing is overwritten. */

import { existsSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { makeFolder } from "../home/MakeFolder.boundary.ts"
import { CommandFailed } from "./ExitStatus.ts"

/** Answers with the path of a file that is there already, and then nothing was written; null when all are. */
export const writeFresh = (
  folder: string,
  files: Readonly<Record<string, string>>
): Effect.Effect<string | null, CommandFailed> =>
  Effect.try({
    try: () => {
      const taken = Object.keys(files).find((path) => existsSync(join(folder, path)))
      if (taken !== undefined) return taken
      for (const [path, text] of Object.entries(files)) {
        makeFolder(dirname(join(folder, path)))
        writeFileSync(join(folder, path), text, { flag: "wx" })
      }
      return null
    },
    catch: (error) =>
      new CommandFailed({
        status: "failed",
        message: `${folder} cannot be written: ${error instanceof Error ? error.message : "unknown fault"}`,
        remedy: "name a folder that you may write"
      })
  })
