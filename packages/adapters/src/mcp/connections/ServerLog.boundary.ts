/** The private log of one server: what it wrote beside the protocol, kept when its connection closes. */

import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"

/** Bytes of a log; with more it becomes the older one, which is replaced. */
const logBytes = 1024 * 1024

/** `logs/mcp` of a home. */
const logFolder = (home: string): string => join(home, "logs", "mcp")

/** The log of `server`. Names of servers are file names already. */
const logFile = (home: string, server: string): string => join(logFolder(home), `${server}.log`)

/** Appends `text` to a file of mode 0600 in folders of mode 0700. A log that cannot be written is not worth a failure. */
export const appendServerLog = (home: string, server: string, text: string): void => {
  try {
    for (const folder of [join(home, "logs"), logFolder(home)]) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      chmodSync(folder, 0o700)
    }
    const file = logFile(home, server)
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytes) renameSync(file, `${file}.1`)
    appendFileSync(file, text, { mode: 0o600 })
    chmodSync(file, 0o600)
  } catch {
    // A full disk, say: the connection closes all the same.
  }
}

/** The log of `server`, the newest part last; null where there is none. A name that is no file name has none. */
export const readServerLog = (home: string, server: string): string | null => {
  if (!/^[\w.-]+$/.test(server)) return null
  try {
    return readFileSync(logFile(home, server), "utf8")
  } catch {
    return null
  }
}
