/** Why the store could not do what was asked: data, never a defect. */
import * as Data from "effect/Data"

/**
 * - `missing`: the home or its store file is not there (any more)
 * - `corrupt`: the file is no store, or damaged; it is named and never overwritten
 * - `locked`: another process held it for longer than {@link lockPatienceMillis}
 * - `read_only`: this process may not write it
 * - `full`: its disk is full
 * - `newer_schema`: a newer Gatehouse wrote it
 * - `conflict`: a row breaks a rule that the database itself holds
 * - `closed`: the store was closed
 * - `failed`: anything else that the database or the disk said
 */
export type StoreErrorReason =
  | "missing"
  | "corrupt"
  | "locked"
  | "read_only"
  | "full"
  | "newer_schema"
  | "conflict"
  | "closed"
  | "failed"

/** Milliseconds that a write waits for another process before it is `locked`. */
export const lockPatienceMillis = 5_000

export class StoreError extends Data.TaggedError("StoreError")<{
  readonly reason: StoreErrorReason
  /** Names the file; never a value of a row. */
  readonly message: string
  readonly remedy: string
}> {}
