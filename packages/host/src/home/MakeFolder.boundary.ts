/** Makes a folder with those above it that are missing. */
import { mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * One folder after the other: where the system says of an existing folder that nothing is in it and nothing can be made
 * in it (as of /proc), `mkdir` with `recursive` tries for ever.
 */
export const makeFolder = (folder: string, mode = 0o777): void => {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder), mode)
  try {
    mkdirSync(folder, { mode })
  } catch (error) {
    // Another process may have made it meanwhile.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw error
  }
}
