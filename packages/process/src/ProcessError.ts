/** Why a process could not be started, or how owning it failed. */
import * as Data from "effect/Data"
import type { ProcessExit } from "./Processes.ts"

/**
 * `not_found`, `not_executable`, `cwd`, `resources`, `spawn`: the system would not start it. `identity`: no start marker
 * could be read. `sandbox`, `unsupported`: asked for and not to be had here. `record`: the spawn could not be written
 * down. `shutdown`: the host starts nothing any more. `artifact`, `output`: it ran, and its output could not be stored,
 * or not be masked and shown. `stdin`: nobody reads there any more.
 */
export type ProcessFailureReason =
  | "not_found"
  | "not_executable"
  | "cwd"
  | "resources"
  | "identity"
  | "artifact"
  | "sandbox"
  | "shutdown"
  | "unsupported"
  | "record"
  | "spawn"
  | "output"
  | "stdin"

export class ProcessError extends Data.TaggedError("ProcessError")<{
  readonly reason: ProcessFailureReason
  readonly message: string
  readonly remedy: string
  readonly spawned: boolean
  /** What was seen where the process ran. */
  readonly exit: ProcessExit | null
}> {}
