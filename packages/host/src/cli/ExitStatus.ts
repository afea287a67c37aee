/** What a command's exit status says (design, "The command line"). */
import type { Status } from "@gatehouse/core/Status"
import * as Data from "effect/Data"

export const exitStatus = {
  succeeded: 0,
  failed: 1,
  invalid: 2,
  denied: 3,
  not_found: 4,
  timed_out: 5,
  cancelled: 6,
  indeterminate: 7
} as const satisfies Record<Status, number>

/** A command that ends with a status of its own: what it had to say about it is said in `message`. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{
  readonly status: Exclude<Status, "succeeded">
  /** Empty where everything was said already. */
  readonly message: string
  readonly remedy: string
}> {}

/** A failure that was shown already: only its status is left to be said. */
export const alreadyShown = (status: Exclude<Status, "succeeded">): CommandFailed =>
  new CommandFailed({ status, message: "", remedy: "" })
