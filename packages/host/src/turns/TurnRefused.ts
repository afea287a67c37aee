/** A turn that cannot be admitted: its catalog would be wrong, or its workspace is no folder. */
import * as Data from "effect/Data"

export class TurnRefused extends Data.TaggedError("TurnRefused")<{
  readonly message: string
  readonly remedy: string
}> {}
