/**
 * What tells one process from every other on this machine, and whether it still lives: its number, the kernel's start
 * tick of it, the boot and the process namespace that the number belongs to (Linux, proc(5)).
 */

import { readFileSync, readlinkSync } from "node:fs"
import * as Effect from "effect/Effect"

export interface HostMarker {
  /** Empty where the system does not tell. */
  readonly boot: string
  /** Numbers of processes mean the same only within one namespace. Empty where the system does not tell. */
  readonly namespace: string
  readonly pid: number
  /** Clock ticks between boot and the start of the process. Empty where the system does not tell. */
  readonly started: string
}

/** Whether the process of a marker lives; `unknown` where this process cannot see it. */
export type HostSight = "alive" | "gone" | "unknown"

/** The marker of this process. */
export const ownMarker: Effect.Effect<HostMarker> = Effect.sync(() => ({
  boot: bootId(),
  namespace: processNamespace(),
  pid: process.pid,
  started: startOf(process.pid) ?? ""
}))

/**
 * Looks for the process of `marker`. A store file is shared within one kernel only (its index lives in shared memory),
 * so a host of another boot is gone.
 */
export const look = (marker: HostMarker): Effect.Effect<HostSight> =>
  Effect.sync(() => {
    const boot = bootId()
    if (boot === "" || marker.boot === "" || marker.started === "") return "unknown"
    if (boot !== marker.boot) return "gone"
    if (processNamespace() !== marker.namespace) return "unknown"
    return startOf(marker.pid) === marker.started ? "alive" : "gone"
  })

const bootId = (): string => readOrEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim())

const processNamespace = (): string => readOrEmpty(() => readlinkSync("/proc/self/ns/pid"))

/** Field 22 of /proc/PID/stat; null where there is no such process, or only its zombie. */
const startOf = (pid: number): string | null => {
  const stat = readOrEmpty(() => readFileSync(`/proc/${pid}/stat`, "latin1"))
  // The name of the program stands in parentheses and may hold blanks and parentheses of its own.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [state] = fields
  return state === undefined || state === "" || state === "Z" || state === "X" ? null : (fields[19] ?? null)
}

const readOrEmpty = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ""
  }
}
