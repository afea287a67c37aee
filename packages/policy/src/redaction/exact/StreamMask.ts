/**
 * Masks known secrets in bytes that flow. However the bytes are cut into chunks, what comes out is the same: every
 * byte that belongs to an occurrence of a secret is replaced, and a run of such bytes becomes one mark.
 */
import type { StreamMask } from "../Redactor.ts"
import { type ExactMatcher, type Interval, united } from "./ExactMatcher.ts"

/**
 * A mask for one stream; `mark` stands for each run of secret bytes, or what `nameOf` gives for the longest occurrence
 * that the run begins with.
 */
export const makeStreamMask = (
  matcher: ExactMatcher,
  mark: Uint8Array,
  nameOf: (occurrence: Uint8Array) => Uint8Array | undefined = () => undefined
): StreamMask => {
  /** What may still become part of a secret. */
  let held: Uint8Array = new Uint8Array()
  /** How far into `held` an occurrence reaches that began before it. */
  let covered = 0
  /** Whether the last byte passed on was masked: a run that goes on gets no second mark. */
  let masking = false

  const pass = (bytes: Uint8Array, end: number): Uint8Array => {
    if (end === 0) {
      held = bytes.slice()
      return new Uint8Array()
    }
    const found: Array<Interval> = covered > 0 ? [{ start: 0, end: covered }] : []
    matcher.find(bytes, (start, stop) => found.push({ start, end: stop }))
    const parts: Array<Uint8Array> = []
    let at = 0
    for (const { start, end: stop } of united(found)) {
      if (start >= end) break
      if (start > at) {
        parts.push(bytes.subarray(at, start))
        masking = false
      }
      if (!masking) parts.push(nameOf(bytes.subarray(start, longestFrom(start, found))) ?? mark)
      masking = true
      at = stop
    }
    if (at < end) {
      parts.push(bytes.subarray(at, end))
      masking = false
    }
    covered = Math.max(0, at - end)
    held = bytes.slice(end)
    return parts.length === 1 && parts[0] !== undefined ? parts[0].slice() : Buffer.concat(parts)
  }

  return {
    push: (chunk) => {
      if (matcher.isEmpty || chunk.length === 0) return chunk.slice()
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      return pass(bytes, matcher.unfinishedFrom(bytes))
    },
    end: () => pass(held, held.length)
  }
}

const longestFrom = (start: number, found: ReadonlyArray<Interval>): number =>
  found.reduce((end, interval) => (interval.start === start ? Math.max(end, interval.end) : end), start)
