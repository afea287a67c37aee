/** Why an artifact could not be made, written or found. */
import * as Data from "effect/Data"

export class ArtifactError extends Data.TaggedError("ArtifactError")<{
  readonly reason: "open" | "write" | "quota" | "not_found"
  readonly message: string
  readonly remedy: string
}> {}
