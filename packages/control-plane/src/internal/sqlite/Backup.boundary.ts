/** Copies a store while it is in use, with SQLite's online backup (https://www.sqlite.org/backup.html). Throws. */
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { codeOf, fileExists } from "../StoreFaults.ts"
import { type Connection, makeSelfContained } from "./Connection.boundary.ts"

/** Writes a whole copy to `destination`, mode 0600; what stands there already is never overwritten. */
export const backUp = async (connection: Connection, destination: string): Promise<void> => {
  const unfinished = `${destination}.unfinished`
  closeSync(openSync(unfinished, "wx", 0o600))
  try {
    chmodSync(unfinished, 0o600)
    await connection.backup(unfinished)
    makeSelfContained(unfinished)
    sync(unfinished)
    // A link fails where the name is taken, and is whole from the first moment.
    linkSync(unfinished, destination)
    sync(dirname(destination))
  } catch (error) {
    throw codeOf(error) === "EEXIST" ? fileExists(destination) : error
  } finally {
    rmSync(unfinished, { force: true })
    rmSync(`${unfinished}-journal`, { force: true })
  }
}

const sync = (path: string): void => {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
