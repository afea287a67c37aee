/**
 * What the operating system says about processes, as values. One view a platform; a test puts its own in its place,
 * and so proves what no real table can be made to show (a pid that was given to a stranger in between).
 */
import * as Context from "effect/Context"
import type { LimitMark } from "../identity/LimitMark.ts"
import { platformProcessTable } from "./PlatformProcessTable.ts"

/** One process as it was when it was looked at. */
export interface ProcessStatus {
  readonly pid: number
  /** Name of its program, as the system keeps it (15 bytes on Linux); never its arguments. */
  readonly name: string
  /** A zombie or dead: it runs nothing and waits for its parent to look. It counts as gone. */
  readonly gone: boolean
  readonly parent: number
  readonly group: number
  readonly session: number
  /** Start marker: equal for two looks at one process, different for two processes that had one pid after another. */
  readonly start: string
  /** Moment of the start in a unit of the table's own, only ever to be compared with another of them. */
  readonly startedAt: number
}

export type SignalName = "TERM" | "KILL" | "CONT"

/** `gone`: no such process or group (ESRCH). `refused`: there is one, and it may not be signalled (EPERM). */
export type SignalAnswer = "sent" | "gone" | "refused"

export interface ProcessTable {
  /** What this platform lacks for owning a tree; null where it lacks nothing. */
  readonly missing: string | null
  /** The pid of this host. */
  readonly self: number
  /** Boot and pid namespace: pids of two places are not comparable. Null where it cannot be read. */
  readonly place: string | null
  readonly status: (pid: number) => ProcessStatus | null
  readonly pids: () => ReadonlyArray<number>
  /** This moment in the unit of `startedAt`; null where it cannot be told. */
  readonly now: () => number | null
  /** The pid that was given out last, where the system tells: between two equal answers nothing was started. */
  readonly newestPid: () => number | null
  /** The value of a variable in the environment that a process was started with, where that may be read. */
  readonly variable: (pid: number, name: string) => string | null
  /** The soft limits that {@link LimitMark} is made of; null where they cannot be read or have no bound. */
  readonly limits: (pid: number) => LimitMark | null
  /** Sends to one process, or to the whole group for a negative number. Null only asks whether there is one. */
  readonly signal: (target: number, name: SignalName | null) => SignalAnswer
}

/** The table in use; by default the one of the platform that Gatehouse runs on. */
export class ProcessTables extends Context.Reference<ProcessTables>()("@gatehouse/process/ProcessTable", {
  defaultValue: (): ProcessTable => platformProcessTable()
}) {}
