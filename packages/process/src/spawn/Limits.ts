/**
 * Limits of one command, set by programs that the machine has: `prlimit` (util-linux) and `nice` (coreutils). Each
 * sets its limits on itself and then becomes the command, so pid and group stay what they are.
 */
import type { ResourceLimits } from "../Processes.ts"

/** A command line. */
export interface Invocation {
  readonly command: string
  readonly args: ReadonlyArray<string>
}

/** Where the machine has the two programs (null where it lacks one), and how nice the host itself is. */
export interface LimitTools {
  readonly prlimit: string | null
  readonly nice: string | null
  /** The lowest niceness that the host may give. */
  readonly leastNiceness: number
}

export interface LimitedInvocation extends Invocation {
  /** Limits that were asked for and cannot be set here, with the reason. */
  readonly unsupported: ReadonlyArray<string>
}

/** Seconds between the soft limit of CPU time, which sends XCPU, and the hard one, which kills. */
const cpuGraceSeconds = 1

/** `invocation` under `limits`. What cannot be set is named. */
export const limited = (invocation: Invocation, limits: ResourceLimits, tools: LimitTools): LimitedInvocation => {
  const { cpuSeconds, memoryBytes, openFiles, niceness } = limits
  const asked = [
    { name: "cpuSeconds", flag: cpuSeconds === undefined ? null : cpuFlag(cpuSeconds) },
    { name: "memoryBytes", flag: memoryBytes === undefined ? null : `--as=${memoryBytes}` },
    { name: "openFiles", flag: openFiles === undefined ? null : `--nofile=${openFiles}` }
  ].flatMap(({ name, flag }) => (flag === null ? [] : [{ name, flag }]))
  const unsupported: Array<string> = []

  let wrapped = invocation
  if (asked.length > 0) {
    if (tools.prlimit === null)
      unsupported.push(...asked.map(({ name }) => `limits.${name}: this machine has no prlimit`))
    else
      wrapped = before(
        tools.prlimit,
        asked.map(({ flag }) => flag),
        wrapped
      )
  }
  if (niceness !== undefined) {
    if (tools.nice === null) unsupported.push("limits.niceness: this machine has no nice")
    else if (niceness < tools.leastNiceness) unsupported.push("limits.niceness: the host may not give priority")
    else wrapped = before(tools.nice, ["-n", String(niceness)], wrapped)
  }
  return { ...wrapped, unsupported }
}

/** prlimit(1) takes whole seconds. */
const cpuFlag = (seconds: number): string => `--cpu=${Math.ceil(seconds)}:${Math.ceil(seconds) + cpuGraceSeconds}`

const before = (tool: string, flags: ReadonlyArray<string>, { command, args }: Invocation): Invocation => ({
  command: tool,
  args: [...flags, "--", command, ...args]
})

/** The stricter of both, limit by limit. */
export const stricterLimits = (left: ResourceLimits, right: ResourceLimits): ResourceLimits => {
  const names = ["cpuSeconds", "memoryBytes", "openFiles"] as const
  const merged: { -readonly [Name in keyof ResourceLimits]: ResourceLimits[Name] } = {}
  for (const name of names) {
    const value = Math.min(left[name] ?? Number.POSITIVE_INFINITY, right[name] ?? Number.POSITIVE_INFINITY)
    if (Number.isFinite(value)) merged[name] = value
  }
  // The nicer process asks less of the machine.
  const niceness = Math.max(left.niceness ?? Number.NEGATIVE_INFINITY, right.niceness ?? Number.NEGATIVE_INFINITY)
  if (Number.isFinite(niceness)) merged.niceness = niceness
  return merged
}
