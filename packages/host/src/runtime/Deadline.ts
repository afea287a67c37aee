/** Of all that may end a call, what ends it first. Pure. */
import type { DeadlineOwner } from "./AdapterRun.ts"

/** Milliseconds since the epoch, and whose deadline it is: that of the call, of its turn, or of a bound secret. */
export const earliest = (
  now: number,
  timeoutMillis: number,
  turnDeadline: number | null,
  secretExpiry: number | null
): { readonly deadline: number; readonly deadlineBy: DeadlineOwner } => {
  const all: ReadonlyArray<readonly [number, DeadlineOwner]> = [
    [now + timeoutMillis, "call"],
    [turnDeadline ?? Number.POSITIVE_INFINITY, "turn"],
    [secretExpiry ?? Number.POSITIVE_INFINITY, "secret"]
  ]
  const [deadline, deadlineBy] = all.reduce((first, next) => (next[0] < first[0] ? next : first))
  return { deadline, deadlineBy }
}
