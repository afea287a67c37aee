/**
 * The process table of Linux, read from `/proc` (proc(5)): `stat` for identity, group and state, `environ` for marks.
 * Reads are synchronous: they never wait for a device, and what was read is used before anything else can run.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { uptime } from "node:os"
import type { ProcessStatus, ProcessTable } from "./ProcessTable.ts"
import { sendSignal } from "./Signal.boundary.ts"

export const linuxProcessTable = (root = "/proc"): ProcessTable => {
  const boot = readText(`${root}/sys/kernel/random/boot_id`)?.trim() ?? null
  const place = boot === null ? null : `${boot.slice(0, 8)}${namespaceOf(root)}`
  return {
    missing: null,
    self: process.pid,
    place,
    status: (pid) => {
      const text = boot === null ? null : readText(`${root}/${pid}/stat`)
      return text === null ? null : parseStat(text, boot ?? "")
    },
    pids: () => {
      try {
        return readdirSync(root).flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
      } catch {
        return []
      }
    },
    now: ticksNow,
    // The fifth field of /proc/loadavg (proc_loadavg(5)).
    newestPid: () => {
      const load = readText(`${root}/loadavg`)
      return load === null ? null : Number(load.slice(load.lastIndexOf(" ") + 1)) || null
    },
    variable: (pid, name) => variableIn(readBytes(`${root}/${pid}/environ`), name),
    limits: (pid) => {
      const text = readText(`${root}/${pid}/limits`) ?? ""
      const pendingSignals = Number(/^Max pending signals\s+(\d+)/m.exec(text)?.[1])
      const messageQueue = Number(/^Max msgqueue size\s+(\d+)/m.exec(text)?.[1])
      return Number.isNaN(pendingSignals + messageQueue) ? null : { pendingSignals, messageQueue }
    },
    signal: sendSignal
  }
}

/** `USER_HZ`, the unit of start times in `/proc`: 100 on every architecture that Node runs on (time(7)). */
const ticksPerSecond = 100

/**
 * One line of `/proc/<pid>/stat`. The name stands in parentheses and may itself hold blanks and parentheses, so fields
 * are counted from the last one.
 */
export const parseStat = (text: string, boot: string): ProcessStatus | null => {
  const open = text.indexOf("(")
  const close = text.lastIndexOf(")")
  const fields = text.slice(close + 2).split(" ", 20)
  const [state, parent, group, session] = fields
  const ticks = fields[19]
  if (open < 0 || close < open || ticks === undefined || session === undefined) return null
  return {
    pid: Number(text.slice(0, open)),
    name: text.slice(open + 1, close),
    gone: state === "Z" || state === "X" || state === "x",
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    start: `${boot}:${ticks}`,
    startedAt: Number(ticks)
  }
}

/** `-` and the inode of the pid namespace; the empty text where the kernel has none or does not tell. */
const namespaceOf = (root: string): string => {
  try {
    return `-${/\d+/.exec(readlinkSync(`${root}/self/ns/pid`))?.[0] ?? ""}`
  } catch {
    return ""
  }
}

const variableIn = (environment: Buffer | null, name: string): string | null => {
  if (environment === null) return null
  const wanted = Buffer.from(`${name}=`)
  let at = environment.indexOf(wanted)
  while (at > 0 && environment[at - 1] !== 0) at = environment.indexOf(wanted, at + 1)
  if (at < 0) return null
  const end = environment.indexOf(0, at)
  return environment.toString("utf8", at + wanted.length, end < 0 ? environment.length : end)
}

/**
 * The time since boot in ticks, rounded down. `/proc/uptime`, which counts from where start times count, is read again
 * after a while only: a machine that slept in between makes the answer too early, never too late.
 */
const ticksNow = (): number => {
  const now = performance.now()
  if (now - readAt > uptimeMillis) {
    readAt = now
    uptimeTicks = Math.round(uptime() * ticksPerSecond)
  }
  return uptimeTicks + Math.floor(((now - readAt) / 1000) * ticksPerSecond)
}

const uptimeMillis = 5000
let readAt = Number.NEGATIVE_INFINITY
let uptimeTicks = 0

/** One call into the system for a file that is text and there. */
const readText = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}

/** `environ` may be anything that is not text. */
const readBytes = (path: string): Buffer | null => {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}
