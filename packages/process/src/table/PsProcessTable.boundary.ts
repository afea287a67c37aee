/**
 * The process table of macOS, asked of `ps(1)`: the start marker is `lstart` (whole seconds). Every look is a process
 * of its own, some 5 ms; marks are read with `-E`, which shows the environment of one's own processes.
 */
import { outputOf } from "../spawn/ChildProcess.boundary.ts"
import type { ProcessStatus, ProcessTable } from "./ProcessTable.ts"
import { sendSignal } from "./Signal.boundary.ts"

const columns = "pid=,ppid=,pgid=,sess=,stat=,lstart=,comm="

export const psProcessTable = (): ProcessTable => ({
  missing: null,
  self: process.pid,
  place: outputOf("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"])?.trim().slice(0, 8) ?? null,
  status: (pid) => parsePsLine(outputOf("/bin/ps", ["-o", columns, "-p", String(pid)]) ?? ""),
  pids: () => (outputOf("/bin/ps", ["-axo", "pid="]) ?? "").split("\n").flatMap((line) => Number(line) || []),
  now: () => Date.now(),
  newestPid: () => null,
  variable: (pid, name) => {
    const words = outputOf("/bin/ps", ["-Eww", "-o", "command=", "-p", String(pid)]) ?? ""
    return new RegExp(`(?:^| )${name}=([^ \\n]*)`).exec(words)?.[1] ?? null
  },
  limits: () => null,
  signal: sendSignal
})

/** One line of `ps -o pid=,ppid=,pgid=,sess=,stat=,lstart=,comm=`; `lstart` is five words. */
export const parsePsLine = (line: string): ProcessStatus | null => {
  const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/m.exec(line)
  if (match === null) return null
  const [, pid, parent, group, session, state, start = "", name = ""] = match
  return {
    pid: Number(pid),
    name: name.slice(name.lastIndexOf("/") + 1),
    gone: state?.startsWith("Z") ?? false,
    parent: Number(parent),
    group: Number(group),
    // macOS prints a kernel address: no session can be recognised by it.
    session: Number(session) || 0,
    start: start.replace(/\s+/g, " "),
    startedAt: Date.parse(start)
  }
}
