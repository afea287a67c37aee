/**
 * Carries the bytes of one stream into an artifact while the command runs. The artifact is made at the first byte. The
 * source is paused while the disk is behind; after a failure it flows on, and nothing more is written.
 */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ArtifactError } from "../ArtifactError.ts"
import type { Artifacts, ArtifactWriter } from "../Artifacts.ts"
import type { ChildOutput } from "../spawn/ChildProcess.boundary.ts"

/** Bytes that may wait for the disk before the source is paused, and below which it goes on. */
const pauseAbove = 1024 * 1024
const resumeBelow = 256 * 1024

/** Forks into the scope that owns the pumps; called from `data` handlers. */
export type ForkPump = <A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>

export class ArtifactPump {
  readonly #artifacts: Artifacts["Type"]
  readonly #name: string
  readonly #source: ChildOutput
  readonly #fork: ForkPump
  readonly #queue: Array<Uint8Array> = []
  #queued = 0
  #paused = false
  #closed = false
  #failed = false
  #wake: (() => void) | null = null
  #fiber: Fiber.RuntimeFiber<ArtifactReference, ArtifactError> | null = null

  constructor(artifacts: Artifacts["Type"], name: string, source: ChildOutput, fork: ForkPump) {
    this.#artifacts = artifacts
    this.#name = name
    this.#source = source
    this.#fork = fork
  }

  /** Whether the source waits for the disk. */
  get paused(): boolean {
    return this.#paused
  }

  /** Whether there was a byte. */
  get isUsed(): boolean {
    return this.#fiber !== null
  }

  push(bytes: Uint8Array): void {
    if (this.#failed) return
    this.#queue.push(bytes)
    this.#queued += bytes.length
    if (this.#queued > pauseAbove && !this.#paused) {
      this.#paused = true
      this.#source.pause()
    }
    this.#fiber ??= this.#fork(this.#write())
    this.#wake?.()
  }

  /** After the last byte: the finished artifact, or null where there was no byte. */
  readonly finish: Effect.Effect<ArtifactReference | null, ArtifactError> = Effect.suspend(() => {
    this.#closed = true
    this.#wake?.()
    return this.#fiber === null ? Effect.succeed(null) : Fiber.join(this.#fiber)
  })

  #write(): Effect.Effect<ArtifactReference, ArtifactError> {
    return this.#artifacts.create(this.#name, "text/plain").pipe(
      Effect.flatMap((writer) => this.#carry(writer)),
      Effect.scoped,
      Effect.onError(() => Effect.sync(() => this.#fail()))
    )
  }

  #carry(writer: ArtifactWriter): Effect.Effect<ArtifactReference, ArtifactError> {
    return Effect.suspend(() => {
      const bytes = this.#queue.shift()
      if (bytes === undefined)
        return this.#closed ? writer.finish : Effect.zipRight(this.#nextPush(), this.#carry(writer))
      return Effect.flatMap(writer.write(bytes), () => {
        this.#written(bytes.length)
        return this.#carry(writer)
      })
    })
  }

  /** Waits for the next push, or for the end. */
  #nextPush(): Effect.Effect<void> {
    return Effect.async((resume) => {
      this.#wake = () => {
        this.#wake = null
        resume(Effect.void)
      }
    })
  }

  #written(bytes: number): void {
    this.#queued -= bytes
    if (this.#paused && this.#queued < resumeBelow) this.#resume()
  }

  #fail(): void {
    this.#failed = true
    this.#queue.length = 0
    if (this.#paused) this.#resume()
  }

  #resume(): void {
    this.#paused = false
    this.#source.resume()
  }
}
