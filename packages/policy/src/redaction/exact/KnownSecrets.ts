/** Sets of secrets whose values are known, ready to be searched for in texts. */
import { createHash } from "node:crypto"
import { ExactMatcher, type Interval, united } from "./ExactMatcher.ts"
import { formsOf, plainFormsOf, shortestKnown } from "./SecretForms.ts"
import { readingsOf } from "./TextVariants.ts"

/** Secret sets kept ready: those of the host and of the calls that run at the same time. */
const keptSets = 32

/** One set of secrets: what is searched for, in all spellings. */
export interface SecretSet {
  readonly values: ReadonlySet<string>
  readonly matcher: ExactMatcher
}

export const noSecrets: SecretSet = { values: new Set(), matcher: new ExactMatcher([]) }

/** Makes sets of secrets; one with the same values is built once. */
export class KnownSecrets {
  private readonly kept = new Map<string, SecretSet>()

  /** The set of `values`; those that are too short to be searched for are left out. */
  of(values: ReadonlySet<string>): SecretSet {
    const long = new Set([...values].filter((value) => value.length >= shortestKnown))
    if (long.size === 0) return noSecrets
    const key = fingerprintOf(long)
    const set = this.kept.get(key) ?? { values: long, matcher: new ExactMatcher(patternsOf(long)) }
    this.kept.delete(key)
    this.kept.set(key, set)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= keptSets) break
      this.kept.delete(oldest)
    }
    return set
  }
}

/** Secrets of one set that are searched for in all spellings; beyond them as they are and in JSON. */
const spelledSecrets = 4_096
const spelledCharacters = 65_536

function* patternsOf(secrets: ReadonlySet<string>): Iterable<Uint8Array> {
  let count = 0
  let characters = 0
  for (const secret of secrets) {
    count += 1
    characters += secret.length
    yield* count <= spelledSecrets && characters <= spelledCharacters ? formsOf(secret) : plainFormsOf(secret)
  }
}

/** Sets with the same values in the same order have the same fingerprint; no value stands in it. */
const fingerprintOf = (secrets: ReadonlySet<string>): string => {
  let all = ""
  for (const secret of secrets) all += `${secret.length}:${secret}`
  return createHash("sha256").update(all).digest("base64")
}

/** Whether any secret of `sets` stands in the text of `bytes`, in any spelling or reading. */
export const holdsSecret = (bytes: Uint8Array, sets: ReadonlyArray<SecretSet>): boolean => {
  const matchers = matchersOf(sets)
  if (matchers.length === 0) return false
  return (
    matchers.some((matcher) => matcher.occurs(bytes)) ||
    windows(bytes, matchers).some(({ start, end }) =>
      readingsOf(bytes.subarray(start, end)).some((reading) =>
        matchers.some((matcher) => matcher.occurs(reading.bytes))
      )
    )
  )
}

/** Where secrets of `sets` stand in `text`, in UTF-16 units, in any spelling or reading. */
export const secretsIn = (text: string, sets: ReadonlyArray<SecretSet>): ReadonlyArray<Interval> => {
  const matchers = matchersOf(sets)
  if (matchers.length === 0 || text.length < shortestKnown) return []
  const bytes = Buffer.from(text, "utf8")
  const found: Array<{ start: number; end: number }> = []
  const add = (start: number, end: number): void => {
    const last = found[found.length - 1]
    if (last !== undefined && start >= last.start && start <= last.end) last.end = Math.max(last.end, end)
    else found.push({ start, end })
  }
  for (const matcher of matchers) matcher.find(bytes, add)
  for (const window of windows(bytes, matchers)) {
    for (const { bytes: read, starts, ends } of readingsOf(bytes.subarray(window.start, window.end))) {
      for (const matcher of matchers) {
        matcher.find(read, (start, end) => {
          add(window.start + (starts[start] ?? 0), window.start + (ends[end - 1] ?? 0))
        })
      }
    }
  }
  if (found.length === 0) return found
  const together = united(found)
  const units = bytes.length === text.length ? together : inUnits(bytes, together)
  return units.map((interval) => wholeRun(text, interval, sets))
}

const matchersOf = (sets: ReadonlyArray<SecretSet>): ReadonlyArray<ExactMatcher> =>
  sets.filter((set) => !set.matcher.isEmpty).map((set) => set.matcher)

/** Bytes that are read in other ways at once: readings take nine times their memory. */
const windowSize = 4 * 1024 * 1024
/** How much longer a secret may be in its longest reading: six bytes for one, and some line breaks. */
const windowOverlap = 16

const windows = (bytes: Uint8Array, matchers: ReadonlyArray<ExactMatcher>): ReadonlyArray<Interval> => {
  const overlap = windowOverlap * Math.max(...matchers.map((matcher) => matcher.longest))
  const result: Array<Interval> = []
  for (let start = 0; start === 0 || start + overlap < bytes.length; start += windowSize) {
    result.push({ start, end: Math.min(bytes.length, start + windowSize + overlap) })
  }
  return result
}

/** Byte places as places in the text. */
const inUnits = (bytes: Buffer, intervals: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  const places = [...new Set(intervals.flatMap(({ start, end }) => [start, end]))].sort((left, right) => left - right)
  const units = new Map<number, number>()
  let unit = 0
  let last = 0
  for (const place of places) {
    unit += bytes.toString("utf8", last, place).length
    units.set(place, unit)
    last = place
  }
  return intervals.map(({ start, end }) => ({ start: units.get(start) ?? 0, end: units.get(end) ?? 0 }))
}

const encodedRun = /^[\w+/=-]+$/
const longestRun = 1_000_000

/**
 * An encoded secret is masked with the whole run of digits it stands in: at its borders digits hold bits of it and
 * of its neighbours, and what is around it belongs to the same credentials.
 */
const wholeRun = (text: string, interval: Interval, sets: ReadonlyArray<SecretSet>): Interval => {
  const found = text.slice(interval.start, interval.end)
  if (!encodedRun.test(found) || sets.some((set) => set.values.has(found))) return interval
  const marks = /[-_]/.test(found)
  let { start, end } = interval
  while (start > 0 && interval.start - start < longestRun && isDigit(text.charCodeAt(start - 1), marks)) start -= 1
  while (end < text.length && end - interval.end < longestRun && isDigit(text.charCodeAt(end), marks)) end += 1
  while (end < text.length && text.charCodeAt(end) === 0x3d) end += 1
  return { start, end }
}

/** A digit of base64 or hexadecimal; with `marks` also of base64url. */
const isDigit = (code: number, marks: boolean): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a) ||
  code === 0x2b ||
  code === 0x2f ||
  (marks && (code === 0x2d || code === 0x5f))
