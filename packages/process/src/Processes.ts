/**
 * Whatever a model causes to start has one owner: started into a group of its own, drained without limit, ended as
 * a tree, and proven gone. Cases in `test/vectors/process-lifecycle.json`.
 */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import type { SpawnId } from "@gatehouse/core/Identifiers"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export interface StreamStats {
  readonly bytes: number
  /** Code points of the decoded stream. */
  readonly chars: number
  readonly truncated: boolean
}

export interface StreamTail extends StreamStats {
  /** The last 12,000 characters at most, decoded once, no broken character. */
  readonly text: string
}

/** What masks a stream before anything of it is kept; `Redactor.streamMask` gives one. */
export interface OutputMask {
  readonly push: (chunk: Uint8Array) => Uint8Array
  readonly end: () => Uint8Array
}

export interface ResourceLimits {
  readonly cpuSeconds?: number
  readonly memoryBytes?: number
  readonly openFiles?: number
  readonly niceness?: number
}

export interface SpawnOptions {
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Absolute and judged. */
  readonly cwd: string
  /** The whole environment: nothing of the host's is added but the spawn id. */
  readonly environment: Readonly<Record<string, string>>
  /** Written to standard input, which is then closed; null closes it at once. */
  readonly stdin: string | null
  /** Milliseconds between TERM and KILL. */
  readonly graceMillis: number
  readonly limits: ResourceLimits
  readonly sandbox: "none" | "workspace"
  /** One mask a stream; null where no secret is bound. */
  readonly mask: (() => OutputMask) | null
  /** Whether full streams go to an artifact. */
  readonly artifact: boolean
  /** Masked text while it runs, for whoever watches. */
  readonly onOutput: ((stream: "stdout" | "stderr", text: string) => void) | null
  /** What the spawn belongs to, for the record and for events: names and ids only. */
  readonly label: string
}

export interface ProcessExit {
  readonly exitCode: number | null
  /** Name without SIG where a signal ended the leader. */
  readonly signal: string | null
  readonly stdout: StreamTail
  readonly stderr: StreamTail
  readonly artifacts: ReadonlyArray<ArtifactReference>
  /** Whether every member of the tree is known to be gone. */
  readonly confirmedGone: boolean
  /** Processes that left the group and could not be ended: pid and program name. */
  readonly survivors: ReadonlyArray<{ readonly pid: number; readonly name: string }>
  /** Limits or features that were asked for and this machine lacks. */
  readonly unsupported: ReadonlyArray<string>
  readonly sandbox: "none" | "bwrap"
}

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

export class ProcessError extends Data.TaggedError("ProcessError")<{
  readonly reason: ProcessFailureReason
  readonly message: string
  readonly remedy: string
  readonly spawned: boolean
  /** What was seen where the process ran. */
  readonly exit: ProcessExit | null
}> {}

/** A running tree. Its scope ends it; ending twice is one end. */
export interface OwnedProcess {
  readonly pid: number
  readonly spawnId: SpawnId
  /** Waits for the leader and then for the group: TERM, grace, KILL on what the leader left. */
  readonly exit: Effect.Effect<ProcessExit, ProcessError>
  /** Ends the tree now and says what was seen; single-flight. */
  readonly end: Effect.Effect<ProcessExit, ProcessError>
  /** Writes to standard input with back-pressure; for servers that stay open (`stdin: "open"` spawns). */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, ProcessError>
}

export class Processes extends Context.Tag("@gatehouse/process/Processes")<
  Processes,
  {
    /** Starts into the scope: when it closes, the tree is ended and its end confirmed before the scope lets go. */
    readonly spawn: (options: SpawnOptions) => Effect.Effect<OwnedProcess, ProcessError, Scope.Scope>
    /** Ends everything that is still owned, side by side, and refuses starts from then on. */
    readonly shutdown: Effect.Effect<void>
  }
>() {}
