/** One output stream of a tree, and what is done with it. */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ArtifactError } from "../ArtifactError.ts"
import type { Artifacts } from "../Artifacts.ts"
import type { SpawnOptions, StreamTail } from "../Processes.ts"
import type { ChildOutput } from "../spawn/ChildProcess.boundary.ts"
import { monotonicMillis } from "../spawn/RealTime.boundary.ts"
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
  readonly #drain: StreamDrain | RawStream
  readonly #pump: ArtifactPump | null
  readonly #closed: Deferred.Deferred<void>
  #isClosed = false
  #lastByteAt = monotonicMillis()

  private constructor(
    output: ChildOutput,
    drain: StreamDrain | RawStream,
    pump: ArtifactPump | null,
    closed: Deferred.Deferred<void>,
    onFailure: () => void
  ) {
    this.#output = output
    this.#drain = drain
    this.#pump = pump
    this.#closed = closed
    output.listen(
      (bytes) => {
        this.#lastByteAt = monotonicMillis()
        drain.push(bytes)
        if (drain.failed) onFailure()
      },
      () => {
        drain.end()
        this.#isClosed = true
        Deferred.unsafeDone(closed, Effect.void)
      }
    )
  }

  /** Begins to drain `output` as `options` say. */
  static readonly make = (
    owner: StreamOwner,
    name: "stdout" | "stderr",
    output: ChildOutput,
    options: SpawnOptions
  ): Effect.Effect<OwnedStream> =>
    Effect.map(Deferred.make<void>(), (closed) => {
      if (name === "stdout" && options.onStdoutBytes !== undefined) {
        return new OwnedStream(output, new RawStream(options.onStdoutBytes), null, closed, owner.onFailure)
      }
      const pump = options.artifact ? new ArtifactPump(owner.artifacts, `${name}.log`, output, owner.fork) : null
      const { onOutput, mask } = options
      const drain = new StreamDrain({
        mask: mask === null ? null : mask(),
        onText: onOutput === null ? null : (text) => onOutput(name, text),
        onBytes: pump === null ? null : (bytes) => pump.push(bytes)
      })
      return new OwnedStream(output, drain, pump, closed, owner.onFailure)
    })

  get failed(): boolean {
    return this.#drain.failed
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Waits until the last holder of the pipe has let go. */
  get closed(): Effect.Effect<void> {
    return Deferred.await(this.#closed)
  }

  /** Whether the disk is behind, and the stream waits for it. */
  get isHeldUp(): boolean {
    return this.#pump?.paused === true
  }

  /** Milliseconds without a byte; 0 while it is held up. */
  silentFor(): number {
    if (this.isHeldUp) this.#lastByteAt = monotonicMillis()
    return monotonicMillis() - this.#lastByteAt
  }

  tail(): StreamTail {
    return this.#drain.tail()
  }

  /** Lets go of the pipe, whoever still holds its other end. */
  destroy(): void {
    this.#output.destroy()
  }

  /** After the end: the finished artifact, or null where there is none. */
  get artifact(): Effect.Effect<ArtifactReference | null, ArtifactError> {
    return this.#pump === null ? Effect.succeed(null) : this.#pump.finish
  }
}
