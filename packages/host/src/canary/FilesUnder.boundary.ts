/** The files of a home as anybody who can read the disk sees them. */

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import type { Sink } from "./Search.ts"

/** Every file under `folder`, named by its path in it; a file that goes while it is read is no file any more. */
export const filesUnder = (folder: string, when: string): ReadonlyArray<Sink> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name): ReadonlyArray<Sink> => {
    const path = join(folder, name)
    try {
      if (!statSync(path).isFile()) return []
      return [{ name: `home/${relative(folder, path)} (${when})`, bytes: readFileSync(path) }]
    } catch {
      return []
    }
  })
