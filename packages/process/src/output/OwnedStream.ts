/** One output stream of a tree, and what is done with it. */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import * as Effect from "effect/Effect"
import type { ArtifactError } from "../ArtifactError.ts"
import type { Artifacts } from "../Artifacts.ts"
import type { SpawnOptions, StreamTail } from "../Processes.ts"
import type { ChildOutput } from "../spawn/ChildProcess.boundary.ts"
import { ArtifactPump, type ForkPump } from "./ArtifactPump.ts"
import { RawStream } from "./RawStream.ts"
import { StreamDrain } from "./StreamDrain.ts"

export interface StreamOwner {
  readonly artifacts: Artifacts["Type"]
  readonly fork: ForkPump
  /** Its bytes could not be masked, or whoever watches threw. */
  readonly onFailure: () => void
}

export class OwnedStream {
  readonly #output: ChildOutput
  readonly #pump: ArtifactPump | null
  readonly #drain: StreamDrain | RawStream
  readonly #onClosed: Array<() => void> = []
  #isClosed = false
  #chunks = 0

  /** Begins to drain `output` as `options` say. */
  constructor(owner: StreamOwner, name: "stdout" | "stderr", output: ChildOutput, options: SpawnOptions) {
    const raw = name === "stdout" ? options.onStdoutBytes : undefined
    const isKept = options.artifact && raw === undefined
    this.#output = output
    this.#pump = isKept ? new ArtifactPump(owner.artifacts, `${name}.log`, output, owner.fork) : null
    this.#drain = raw === undefined ? drainOf(name, options, this.#pump) : new RawStream(raw)
    output.listen(
      (bytes) => {
        this.#chunks += 1
        this.#drain.push(bytes)
        if (this.#drain.failed) owner.onFailure()
      },
      () => {
        this.#drain.end()
        this.#isClosed = true
        for (const listener of this.#onClosed) listener()
      }
    )
  }

  get failed(): boolean {
    return this.#drain.failed
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Calls `listener` when the last holder of the pipe has let go, which is not yet. */
  onClosed(listener: () => void): void {
    this.#onClosed.push(listener)
  }

  /** Whether the disk is behind, and the stream waits for it. */
  get isHeldUp(): boolean {
    return this.#pump?.paused === true
  }

  /** Grows with everything that is read. */
  get progress(): number {
    return this.#chunks
  }

  tail(): StreamTail {
    return this.#drain.tail()
  }

  /** Lets go of the pipe, whoever still holds its other end. */
  destroy(): void {
    this.#output.destroy()
  }

  /** Whether there is an artifact to be finished. */
  get isStored(): boolean {
    return this.#pump?.isUsed === true
  }

  /** After the end: the finished artifact, or null where there is none. */
  get artifact(): Effect.Effect<ArtifactReference | null, ArtifactError> {
    return this.#pump === null ? nothing : this.#pump.finish
  }
}

const nothing = Effect.succeed(null)

const drainOf = (name: "stdout" | "stderr", { mask, onOutput }: SpawnOptions, pump: ArtifactPump | null): StreamDrain =>
  new StreamDrain({
    mask: mask === null ? null : mask(),
    onText: onOutput === null ? null : (text) => onOutput(name, text),
    onBytes: pump === null ? null : (bytes) => pump.push(bytes)
  })
