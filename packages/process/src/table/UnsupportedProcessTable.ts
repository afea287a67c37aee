/** The table of a platform on which no tree can be owned: it shows nothing and says why. */
import type { ProcessTable } from "./ProcessTable.ts"

export const unsupportedProcessTable = (missing: string): ProcessTable => ({
  missing,
  self: process.pid,
  place: null,
  status: () => null,
  pids: () => [],
  now: () => null,
  newestPid: () => null,
  variable: () => null,
  limits: () => null,
  signal: () => "refused"
})
