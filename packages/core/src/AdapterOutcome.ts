/** What an adapter gives back. It is raw: only the pipeline sees it, and passes on redacted views. */
import type { ArtifactId } from "./Identifiers.ts"
import type { Json } from "./Json.ts"

/** A file that holds what is too large for a result; names are relative to its opaque root. */
export interface ArtifactReference {
  readonly id: ArtifactId
  readonly name: string
  readonly mediaType: string
  readonly bytes: number
  readonly sha256: string
}

export interface AdapterOutput {
  /** What the model reads. */
  readonly text: string
  /** The same for programs, where there is a structure. */
  readonly data: Json | null
  /** What a person reads instead of `text` (a diff, a command with its directory), and data with it. */
  readonly operator?: { readonly text?: string; readonly data?: Json }
  readonly artifacts: ReadonlyArray<ArtifactReference>
}

export interface AdapterOutcome {
  /** `failed` is an effect that ran and says itself that it did not do what was asked (exit status 1, `isError`). */
  readonly status: "succeeded" | "failed"
  readonly output: AdapterOutput
  /** With `failed`: one line that says what failed. */
  readonly message?: string
}

/** Output that is text and nothing else. */
export const textOutput = (text: string, data: Json | null = null): AdapterOutput => ({ text, data, artifacts: [] })
