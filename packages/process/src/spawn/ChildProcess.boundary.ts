/**
 * The one place that starts processes. A child leads a session and group of its own, and is given exactly the
 * environment, folder and streams that it was asked with.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { accessSync, closeSync, constants, openSync, readlinkSync, realpathSync, statSync } from "node:fs"
import { getPriority } from "node:os"
import { join } from "node:path"
import type { Readable } from "node:stream"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { type LimitMark, loweredLimits, sameLimits } from "../identity/LimitMark.ts"
import type { ProcessError } from "../ProcessError.ts"
import type { ProcessTable } from "../table/ProcessTable.ts"
import { startError } from "./StartErrors.ts"

export interface StartRequest {
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  readonly stdin: "end" | "pipe"
}

export interface LeaderExit {
  readonly exitCode: number | null
  /** Without SIG. */
  readonly signal: string | null
}

/** One output stream, in flowing mode from the moment it is listened to. */
export interface ChildOutput {
  readonly listen: (onData: (bytes: Uint8Array) => void, onClose: () => void) => void
  readonly pause: () => void
  readonly resume: () => void
  /** Lets go of the pipe, whoever still holds its other end. */
  readonly destroy: () => void
}

export interface StartedChild {
  readonly pid: number
  readonly stdout: ChildOutput
  readonly stderr: ChildOutput
  /** The listener is called once, when the host has seen the leader's end; from then on its pid is free. */
  readonly onExit: (listener: (exit: LeaderExit) => void) => void
  /** Resolves to false where nobody reads any more. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<boolean>
  readonly closeStdin: () => void
  /** KILL to the group of a child whose end was not seen yet: until then its pid cannot mean anybody else. */
  readonly undo: () => void
}

/** Starts a child, which then runs; or answers the failure, for which the system may need a moment. */
export const startChild = (request: StartRequest): Either.Either<StartedChild, Effect.Effect<never, ProcessError>> => {
  let child: ChildProcess
  try {
    child = inDirectory(request.cwd, (cwd) =>
      spawn(request.command, [...request.args], {
        cwd,
        env: request.environment,
        detached: true,
        stdio: [request.stdin === "end" ? "ignore" : "pipe", "pipe", "pipe"]
      })
    )
  } catch (error) {
    return Either.left(Effect.fail(startError(codeOf(error))))
  }
  const { pid, stderr, stdout } = child
  if (pid !== undefined && stdout !== null && stderr !== null) return Either.right(started(child, pid, stdout, stderr))
  return Either.left(Effect.async((resume) => void child.once("error", (error) => resume(startError(codeOf(error))))))
}

/** What a short, trusted program of the system said within a second. `status` is null where it did not end by itself. */
export interface Trial {
  readonly status: number | null
  readonly output: string
  readonly errors: string
}

export const trialOf = (command: string, args: ReadonlyArray<string>): Trial => {
  const result = spawnSync(command, [...args], { env: { LC_ALL: "C" }, timeout: 1000, maxBuffer: 16 * 1024 * 1024 })
  if (result.error !== undefined) return { status: null, output: "", errors: codeOf(result.error) }
  return { status: result.status, output: result.stdout.toString("utf8"), errors: result.stderr.toString("utf8") }
}

/** The standard output of such a program; null where it failed. */
export const outputOf = (command: string, args: ReadonlyArray<string>): string | null => {
  const { status, output } = trialOf(command, args)
  return status === 0 ? output : null
}

/** Where execvp(3) would find `name` with this `PATH`; null where it would not. */
export const findProgram = (name: string, searchPath: string): string | null => {
  const places = name.includes("/") ? [name] : searchPath.split(":").map((folder) => join(folder || ".", name))
  return places.find(isExecutable) ?? null
}

/** The lowest niceness that this host may give: anything for root, its own for others (setpriority(2)). */
export const leastNiceness = (): number => (process.geteuid?.() === 0 ? -20 : getPriority())

/**
 * Lowers the limits of this process once, however many owners it has; answers what they are now, or null where the
 * machine has no prlimit(1) or the limits are not to be lowered.
 */
export const markOwnLimits = (table: ProcessTable, random: Uint8Array): LimitMark | null => {
  if (ownLimitMark !== undefined) return ownLimitMark
  ownLimitMark = null
  const program = findProgram("prlimit", "/usr/bin:/bin")
  const current = table.limits(table.self)
  const wanted = program === null || current === null ? null : loweredLimits(current, random)
  if (program === null || wanted === null) return null
  const { messageQueue, pendingSignals } = wanted
  trialOf(program, [`--pid=${table.self}`, `--sigpending=${pendingSignals}:`, `--msgqueue=${messageQueue}:`])
  const now = table.limits(table.self)
  if (now !== null && sameLimits(now, wanted)) ownLimitMark = wanted
  return ownLimitMark
}

/** Undefined before the first try. */
let ownLimitMark: LimitMark | null | undefined

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const started = (child: ChildProcess, pid: number, stdout: Readable, stderr: Readable): StartedChild => {
  let seen: LeaderExit | null = null
  const listeners: Array<(exit: LeaderExit) => void> = []
  child.once("exit", (exitCode, signal) => {
    seen = { exitCode, signal: signal?.replace(/^SIG/, "") ?? null }
    for (const listener of listeners) listener(seen)
  })
  // A pipe that breaks is no news beside the child's own end.
  for (const stream of [child.stdin, stdout, stderr]) stream?.on("error", () => {})
  child.on("error", () => {})
  return {
    pid,
    stdout: output(stdout),
    stderr: output(stderr),
    onExit: (listener) => {
      if (seen === null) listeners.push(listener)
      else listener(seen)
    },
    write: (bytes) =>
      Effect.async<boolean>((resume) => {
        const { stdin } = child
        if (stdin === null || !stdin.writable) return resume(Effect.succeed(false))
        stdin.write(bytes, (error) => resume(Effect.succeed(error === null || error === undefined)))
      }),
    closeStdin: () => void child.stdin?.end(),
    undo: () => {
      try {
        if (seen === null) process.kill(-pid, "SIGKILL")
      } catch {
        // It ended by itself.
      }
    }
  }
}

const output = (stream: Readable): ChildOutput => ({
  listen: (onData, onClose) => {
    stream.on("data", onData)
    stream.once("close", onClose)
  },
  pause: () => void stream.pause(),
  resume: () => void stream.resume(),
  destroy: () => void stream.destroy()
})

/**
 * Calls `use` with a name for the folder that cannot come to mean another one: where the system has them, the path of
 * an open descriptor, which the child enters before anything else of it runs.
 */
const inDirectory = <A>(cwd: string, use: (cwd: string) => A): A => {
  if (process.platform !== "linux") {
    if (realpathOf(cwd) !== cwd) throw new CodedError("CWD")
    return use(cwd)
  }
  let directory: number
  try {
    directory = openSync(cwd, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch {
    throw new CodedError("CWD")
  }
  try {
    const path = `/proc/self/fd/${directory}`
    if (readlinkSync(path) !== cwd) throw new CodedError("CWD")
    return use(path)
  } finally {
    closeSync(directory)
  }
}

const realpathOf = (path: string): string | null => {
  try {
    return realpathSync(path)
  } catch {
    return null
  }
}

class CodedError extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "UNKNOWN"
