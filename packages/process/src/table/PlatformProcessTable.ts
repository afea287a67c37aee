/** Chooses the table of the platform that Gatehouse runs on. */
import { linuxProcessTable } from "./LinuxProcessTable.boundary.ts"
import type { ProcessTable } from "./ProcessTable.ts"
import { psProcessTable } from "./PsProcessTable.boundary.ts"
import { unsupportedProcessTable } from "./UnsupportedProcessTable.ts"

export const platformProcessTable = (platform: string = process.platform): ProcessTable => {
  switch (platform) {
    case "linux":
      return linuxProcessTable()
    case "darwin":
      return psProcessTable()
    case "win32":
      return unsupportedProcessTable(
        "on Windows a tree is owned by a job object (suspended start, assignment, resume), which needs a helper program that Gatehouse does not have yet"
      )
    default:
      return unsupportedProcessTable(`on ${platform} there is no source of start markers that Gatehouse knows`)
  }
}
