/** Files of mode 0600 under an opaque root that hold what is too large for a result. */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import type { ArtifactId } from "@gatehouse/core/Identifiers"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export class ArtifactError extends Data.TaggedError("ArtifactError")<{
  readonly reason: "open" | "write" | "quota" | "not_found"
  readonly message: string
  readonly remedy: string
}> {}

export interface ArtifactWriter {
  readonly id: ArtifactId
  /** Queued in order; the returned effect waits where the disk is slower than the source. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, ArtifactError>
  /** Flushes and gives size and digest. */
  readonly finish: Effect.Effect<ArtifactReference, ArtifactError>
}

export interface ArtifactSummary extends ArtifactReference {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly inUse: boolean
}

export class Artifacts extends Context.Tag("@gatehouse/process/Artifacts")<
  Artifacts,
  {
    readonly create: (name: string, mediaType: string) => Effect.Effect<ArtifactWriter, ArtifactError, Scope.Scope>
    readonly list: Effect.Effect<ReadonlyArray<ArtifactSummary>, ArtifactError>
    /** Absolute path, for the host's own commands only; never shown to a model. */
    readonly locate: (id: ArtifactId) => Effect.Effect<string, ArtifactError>
    /** Removes the oldest that are not in use until `bytes` or less remain; answers what went. */
    readonly prune: (bytes: number) => Effect.Effect<ReadonlyArray<ArtifactSummary>, ArtifactError>
  }
>() {}
