/**
 * A second mark, for the moment in which a host dies while it starts a child: the child's pid is not written down yet,
 * and its first act may be to clear its environment. So a host lowers two of its own resource limits by a few units of
 * chance, which matter to nobody and which children inherit whatever they execute. Beside the record of the start that
 * was under way it tells the child from every other process.
 */

/** Soft limits (getrlimit(2)): `RLIMIT_SIGPENDING` in signals, `RLIMIT_MSGQUEUE` in bytes. */
export interface LimitMark {
  readonly pendingSignals: number
  readonly messageQueue: number
}

/** The most that a limit is lowered by. */
const range = 16_384

export const sameLimits = (left: LimitMark, right: LimitMark): boolean =>
  left.pendingSignals === right.pendingSignals && left.messageQueue === right.messageQueue

/** `current` lowered by chance (`random` is four bytes); null where the limits are too low to lose anything. */
export const loweredLimits = (current: LimitMark, random: Uint8Array): LimitMark | null => {
  if (current.pendingSignals < 2 * range || current.messageQueue < 2 * range) return null
  const [a = 0, b = 0, c = 0, d = 0] = random
  return {
    pendingSignals: current.pendingSignals - 1 - ((a * 256 + b) % range),
    messageQueue: current.messageQueue - 1 - ((c * 256 + d) % range)
  }
}
