/** Files of mode 0600 under an opaque root that hold what is too large for a result. */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import type { Home } from "@gatehouse/core/Home"
import type { ArtifactId } from "@gatehouse/core/Identifiers"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { ArtifactError } from "./ArtifactError.ts"
import { makeArtifacts } from "./artifacts/MakeArtifacts.ts"

export interface ArtifactWriter {
  readonly id: ArtifactId
  /** Queued in order; the returned effect waits where the disk is slower than the source. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, ArtifactError>
  /** Flushes and gives size and digest. */
  readonly finish: Effect.Effect<ArtifactReference, ArtifactError>
}

/** An artifact as `gatehouse artifacts list` shows it; while it is in use, size and digest are those so far, or empty. */
export interface ArtifactSummary extends ArtifactReference {
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly inUse: boolean
}

export interface ArtifactsOptions {
  /** Bytes that all artifacts of the home may take together; {@link defaultQuotaBytes} unless given. */
  readonly quotaBytes?: number
}

export class Artifacts extends Context.Tag("@gatehouse/process/Artifacts")<
  Artifacts,
  {
    /**
     * A new file. `name` is one plain file name (`stdout.log`); its folder is drawn by the host, so nothing that a model
     * or a session says becomes part of a path. When the scope closes before `finish`, what was written stays.
     */
    readonly create: (name: string, mediaType: string) => Effect.Effect<ArtifactWriter, ArtifactError, Scope.Scope>
    readonly list: Effect.Effect<ReadonlyArray<ArtifactSummary>, ArtifactError>
    /** Absolute path, for the host's own commands only; never shown to a model. */
    readonly locate: (id: ArtifactId) => Effect.Effect<string, ArtifactError>
    /** Removes the oldest that are not in use until `bytes` or less remain; answers what went. */
    readonly prune: (bytes: number) => Effect.Effect<ReadonlyArray<ArtifactSummary>, ArtifactError>
  }
>() {
  /** Files under `artifacts` of the home. */
  static readonly layer = (options: ArtifactsOptions = {}): Layer.Layer<Artifacts, never, Home> =>
    Layer.effect(Artifacts, makeArtifacts(options))
}
