/**
 * Whether bytes hold a token of `longRunShapes`: a long run of letters, digits, `.`, `-` and `_` is found by looking
 * at a few bytes in {@link shortestRun}, and only in such a run are the shapes tried.
 */
import { longRunShapes } from "./LongRunShapes.ts"
import { wordBegin } from "./TokenShape.ts"

/** No token of these shapes is shorter; a test holds the shapes' examples to it. */
export const shortestRun = 35

const isRunByte = new Uint8Array(256)
for (const character of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") {
  isRunByte[character.charCodeAt(0)] = 1
}

/** What stands before a token is a border in a text; in JSON it may be the end of an escape (`\\n`): not looked at. */
const anywhere = new RegExp(longRunShapes.map(({ pattern }) => pattern.source.replace(wordBegin, "")).join("|"))

/** The shapes cost some microseconds a run: two letters of theirs have to stand in it. */
const marks = new Uint8Array(1 << 16)
for (const mark of ["pa", "r8", "EA", "sl", "ci", "oy", "re", "-u", "NR", "AZ"]) {
  marks[(mark.charCodeAt(0) << 8) | mark.charCodeAt(1)] = 1
}
/** Longer runs are walked without trying: there the shapes would cost more than the walk. */
const longestTried = 2_048

/** Discord's has two dots and no letters of its own: a run with two of them is tried. */
const dot = 0x2e

/** False is certain. */
export const holdsLongRunToken = (bytes: Uint8Array): boolean => {
  let last = shortestRun - 1
  while (last < bytes.length) {
    // Words end soon: of the bytes that a run would fill, far ones say more than neighbours.
    const gap = gapBefore(bytes, last)
    if (gap >= 0) {
      last = gap + shortestRun
      continue
    }
    let start = last - shortestRun
    while (start >= 0 && isRunByte[bytes[start] ?? 0] === 1) start -= 1
    let end = last + 1
    while (end < bytes.length && isRunByte[bytes[end] ?? 0] === 1) end += 1
    if (mayBeToken(bytes, start + 1, end)) {
      if (end - start > longestTried || anywhere.test(latin1(bytes, start + 1, end))) return true
    }
    last = end + shortestRun
  }
  return false
}

/** A byte that is no part of a run, among the {@link shortestRun} that end at `last`; -1 where there is none. */
const gapBefore = (bytes: Uint8Array, last: number): number => {
  if (isRunByte[bytes[last] ?? 0] === 0) return last
  if (isRunByte[bytes[last - 8] ?? 0] === 0) return last - 8
  if (isRunByte[bytes[last - 16] ?? 0] === 0) return last - 16
  for (let at = last - 1; at > last - shortestRun; at--) if (isRunByte[bytes[at] ?? 0] === 0) return at
  return -1
}

const mayBeToken = (bytes: Uint8Array, start: number, end: number): boolean => {
  let dots = 0
  for (let at = start; at + 1 < end; at++) {
    const code = bytes[at] ?? 0
    if (marks[(code << 8) | (bytes[at + 1] ?? 0)] === 1) return true
    if (code === dot) dots += 1
  }
  return dots > 1
}

const latin1 = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1")
