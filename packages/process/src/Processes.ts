/**
 * Whatever a model causes to start has one owner: started into a group of its own, drained without limit, ended as
 * a tree, and proven gone. Cases in `test/vectors/process-lifecycle.json`.
 */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import type { Home } from "@gatehouse/core/Home"
import type { SpawnId } from "@gatehouse/core/Identifiers"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { Artifacts } from "./Artifacts.ts"
import type { ProcessError } from "./ProcessError.ts"
import { makeProcesses } from "./spawn/MakeProcesses.ts"

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

/** Standard input that stays open for {@link OwnedProcess.write}, until it is closed or the tree ends. */
export interface OpenStdin {
  readonly keepOpen: true
}

export interface SpawnOptions {
  /** Absolute path, or a name that is looked up in the child's own `PATH`. */
  readonly command: string
  readonly args: ReadonlyArray<string>
  /** Absolute, links resolved, and judged: a path that leads elsewhere by now is refused at the start. */
  readonly cwd: string
  /** The whole environment: nothing of the host's is added but the spawn id. */
  readonly environment: Readonly<Record<string, string>>
  /** Text is written to standard input, which is then closed; null gives one that is at its end. */
  readonly stdin: string | OpenStdin | null
  /** Milliseconds between TERM and KILL. */
  readonly graceMillis: number
  readonly limits: ResourceLimits
  readonly sandbox: "none" | "workspace"
  /** The one folder that the sandbox `workspace` leaves writable; `cwd` where it is left out. */
  readonly workspace?: string
  /** One mask a stream; null where no secret is bound. */
  readonly mask: (() => OutputMask) | null
  /** Whether full streams go to an artifact. */
  readonly artifact: boolean
  /** Masked text while it runs, for whoever watches. */
  readonly onOutput: ((stream: "stdout" | "stderr", text: string) => void) | null
  /**
   * For a server whose standard output is a protocol: its raw bytes, in order. That stream is then neither masked,
   * tailed nor kept; only its bytes are counted.
   */
  readonly onStdoutBytes?: (bytes: Uint8Array) => void
  /** What the spawn belongs to, for the record and for events: names and ids only. */
  readonly label: string
}

/** What began the end of a tree. `failure`: its output could not be masked or shown. */
export type EndCause = "leader" | "asked" | "shutdown" | "failure"

export interface ProcessExit {
  readonly cause: EndCause
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

/** A running tree. Its scope ends it; ending twice is one end. */
export interface OwnedProcess {
  readonly pid: number
  readonly spawnId: SpawnId
  /** Waits for the leader and then for the group: TERM, grace, KILL on what the leader left. */
  readonly exit: Effect.Effect<ProcessExit, ProcessError>
  /** The end of the leader as soon as it is seen: what it left behind may still have to be ended. */
  readonly leaderExit: Effect.Effect<Pick<ProcessExit, "exitCode" | "signal">>
  /** Ends the tree now and says what was seen; single-flight. */
  readonly end: Effect.Effect<ProcessExit, ProcessError>
  /** Writes to standard input with back-pressure; for spawns with {@link OpenStdin}. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, ProcessError>
  /** Closes standard input: for many servers the polite way to end. */
  readonly closeStdin: Effect.Effect<void>
  /** Both tails as they are now, while it runs. */
  readonly tails: Effect.Effect<{ readonly stdout: StreamTail; readonly stderr: StreamTail }>
}

/** A process that a sweep found: what it is, and what it belonged to. */
export interface SweptProcess {
  readonly pid: number
  readonly name: string
  readonly spawnId: string
  /** The label of its spawn, where the record of it was still there. */
  readonly label: string | null
}

/** What a start found of hosts of this home that are no longer alive. */
export interface SweepReport {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly ended: ReadonlyArray<SweptProcess>
  /** Could not be ended, with the reason in `why`. */
  readonly survivors: ReadonlyArray<SweptProcess & { readonly why: string }>
}

export interface ProcessesOptions {
  /** The host's own limits of every command; a spawn may ask for less, never for more. */
  readonly limits?: ResourceLimits
}

export class Processes extends Context.Tag("@gatehouse/process/Processes")<
  Processes,
  {
    /** Starts into the scope: when it closes, the tree is ended and its end confirmed before the scope lets go. */
    readonly spawn: (options: SpawnOptions) => Effect.Effect<OwnedProcess, ProcessError, Scope.Scope>
    /** Ends everything that is still owned, side by side, and refuses starts from then on. */
    readonly shutdown: Effect.Effect<void>
    /**
     * Ends what is left of hosts of this home that are no longer alive, and nothing else; null where there was
     * nothing. A host calls it when it starts. Fails with reason `record` where the records cannot be read.
     */
    readonly sweep: Effect.Effect<SweepReport | null, ProcessError>
    /** What the last sweep of this home that found something did; for `doctor`. */
    readonly lastSweep: Effect.Effect<SweepReport | null, ProcessError>
  }
>() {
  /** Owns what it starts until the layer's scope closes, which shuts it down. Starts nothing and sweeps nothing itself. */
  static readonly layer = (options: ProcessesOptions = {}): Layer.Layer<Processes, never, Home | Artifacts> =>
    Layer.scoped(Processes, makeProcesses(options))
}
