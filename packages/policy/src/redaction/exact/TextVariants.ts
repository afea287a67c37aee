/**
 * Other readings of a text: with line breaks and escape sequences taken out, with percent and backslash escapes
 * undone. A secret that is cut or spelled in a mixed way shows up in one of them; each reading knows where its bytes
 * come from.
 */

/** The bytes of a reading, and for each of them where what it stands for begins and ends in the text's bytes. */
export interface Reading {
  readonly bytes: Uint8Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

const backslash = 0x5c
const percent = 0x25
const lineFeed = 0x0a
const carriageReturn = 0x0d
const escape = 0x1b
const blank = 0x20
const tab = 0x09

/** Readings that differ from `bytes`; none for most texts. */
export const readingsOf = (bytes: Uint8Array): ReadonlyArray<Reading> => {
  const readings: Array<Reading> = []
  const add = (reading: Reading | undefined): void => {
    if (reading !== undefined) readings.push(reading)
  }
  const hasBackslash = bytes.includes(backslash)
  if (hasBackslash || bytes.includes(lineFeed) || bytes.includes(escape) || bytes.includes(zeroWidthLead)) {
    add(transform(bytes, joinAt))
  }
  if (bytes.includes(percent)) add(transform(bytes, percentAt))
  if (hasBackslash) {
    const once = transform(bytes, unescapeAt)
    add(once)
    // JSON inside a JSON string: escapes of escapes.
    if (once?.bytes.includes(backslash)) add(composed(once, transform(once.bytes, unescapeAt)))
  }
  return readings
}

/** What stands at a place in the reading: bytes consumed, and what replaces them. */
interface Replaced {
  readonly length: number
  readonly as: ReadonlyArray<number>
}

/** Undefined: the byte itself. */
type Step = (bytes: Uint8Array, at: number) => Replaced | undefined

const transform = (bytes: Uint8Array, step: Step): Reading | undefined => {
  const out = new Uint8Array(bytes.length)
  const starts = new Uint32Array(bytes.length)
  const ends = new Uint32Array(bytes.length)
  let size = 0
  let changed = false
  for (let at = 0; at < bytes.length; ) {
    const special = isSpecial[bytes[at] ?? 0] === 1 ? step(bytes, at) : undefined
    if (special === undefined) {
      out[size] = bytes[at] ?? 0
      starts[size] = at
      at += 1
      ends[size] = at
      size += 1
      continue
    }
    changed = true
    for (const byte of special.as) {
      out[size] = byte
      starts[size] = at
      ends[size] = at + special.length
      size += 1
    }
    at += special.length
  }
  if (!changed) return undefined
  return { bytes: out.subarray(0, size), starts: starts.subarray(0, size), ends: ends.subarray(0, size) }
}

/** First bytes of UTF-8 for U+200B to U+200D, U+2060, U+FEFF; and of the soft hyphen. */
const zeroWidthLead = 0xe2
const isSpecial = new Uint8Array(256)
for (const byte of [backslash, percent, lineFeed, carriageReturn, escape, zeroWidthLead, 0xef, 0xc2])
  isSpecial[byte] = 1

const composed = (outer: Reading, inner: Reading | undefined): Reading | undefined =>
  inner === undefined
    ? undefined
    : {
        bytes: inner.bytes,
        starts: inner.starts.map((place) => outer.starts[place] ?? 0),
        ends: inner.ends.map((place) => outer.ends[place - 1] ?? 0)
      }

const nothing: ReadonlyArray<number> = []
/** Two bytes that stand for one, for each: made once, because a text may hold a million of them. */
const pairsFor = Array.from({ length: 256 }, (_, byte): Replaced => ({ length: 2, as: [byte] }))
const triplesFor = Array.from({ length: 256 }, (_, byte): Replaced => ({ length: 3, as: [byte] }))

/** Line breaks with the blanks and marks around them, escaped ones too; terminal sequences; invisible characters. */
const joinAt: Step = (bytes, at) => {
  const byte = bytes[at]
  if (byte === escape) return sequenceAt(bytes, at, 1)
  if (byte === backslash && isEscapedEscape(bytes, at)) return sequenceAt(bytes, at, escapedEscape.length)
  if (byte === zeroWidthLead || byte === 0xef || byte === 0xc2) return invisibleAt(bytes, at)
  const end = lineBreakEnd(bytes, at)
  if (end === at) return undefined
  let next = end
  while (bytes[next] === blank || bytes[next] === tab) next += 1
  return { length: next - at, as: nothing }
}

/** An escaped line break inside four strings in strings has fifteen. */
const mostBackslashes = 16

const lineBreakEnd = (bytes: Uint8Array, at: number): number => {
  const byte = bytes[at]
  if (byte === lineFeed) return at + 1
  if (byte === carriageReturn) return bytes[at + 1] === lineFeed ? at + 2 : at + 1
  if (byte !== backslash) return at
  // `\` before a line break continues the line; `\n`, `\r\n` and their doubles are escaped line breaks.
  let next = at
  while (bytes[next] === backslash && next - at < mostBackslashes) next += 1
  if (bytes[next] === lineFeed || bytes[next] === carriageReturn) return lineBreakEnd(bytes, next)
  if (bytes[next] === 0x72 && bytes[next + 1] === backslash) return lineBreakEnd(bytes, next + 1)
  return bytes[next] === 0x6e ? next + 1 : at
}

/** `\u001b`, as JSON spells the escape character. */
const escapedEscape = Buffer.from("\\u001b", "latin1")

const isEscapedEscape = (bytes: Uint8Array, at: number): boolean =>
  escapedEscape.every((byte, index) => ((bytes[at + index] ?? 0) | 0x20) === (byte | 0x20))

/** A control sequence (ECMA-48, 5.4): ESC (of `length` bytes), `[`, parameters, a final byte. */
const sequenceAt = (bytes: Uint8Array, at: number, length: number): Replaced | undefined => {
  if (bytes[at + length] !== 0x5b) return undefined
  let end = at + length + 1
  while (end < bytes.length && (bytes[end] ?? 0) < 0x40) end += 1
  return { length: Math.min(end + 1, bytes.length) - at, as: nothing }
}

const invisibleAt: Step = (bytes, at) => {
  const [first, second, third] = [bytes[at], bytes[at + 1] ?? 0, bytes[at + 2] ?? 0]
  if (first === 0xc2) return second === 0xad ? { length: 2, as: nothing } : undefined
  const invisible =
    first === 0xe2
      ? (second === 0x80 && third >= 0x8b && third <= 0x8f) || (second === 0x81 && third === 0xa0)
      : second === 0xbb && third === 0xbf
  return invisible ? { length: 3, as: nothing } : undefined
}

const hexValue = (byte: number | undefined): number => {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

const percentAt: Step = (bytes, at) => {
  if (bytes[at] !== percent) return undefined
  const high = hexValue(bytes[at + 1])
  const low = hexValue(bytes[at + 2])
  return high < 0 || low < 0 ? undefined : triplesFor[high * 16 + low]
}

const escapes = new Map([
  [0x6e, 0x0a],
  [0x72, 0x0d],
  [0x74, 0x09],
  [0x62, 0x08],
  [0x66, 0x0c]
])

/** Escapes of JSON and of most languages' strings. */
const unescapeAt: Step = (bytes, at) => {
  if (bytes[at] !== backslash) return undefined
  const kind = bytes[at + 1]
  if (kind === undefined) return undefined
  if (kind === 0x75 || kind === 0x78) return codeAt(bytes, at, kind === 0x75 ? 4 : 2)
  return pairsFor[escapes.get(kind) ?? kind]
}

/** `\uXXXX`, pairs of surrogates included, and `\xXX`, as UTF-8. */
const codeAt = (bytes: Uint8Array, at: number, digits: number): Replaced | undefined => {
  const unit = unitAt(bytes, at, digits)
  if (unit < 0) return undefined
  const length = digits + 2
  if (unit >= 0xd800 && unit <= 0xdbff && bytes[at + length] === backslash && bytes[at + length + 1] === 0x75) {
    const low = unitAt(bytes, at + length, 4)
    if (low >= 0xdc00 && low <= 0xdfff) {
      return { length: length * 2, as: [...Buffer.from(String.fromCharCode(unit, low), "utf8")] }
    }
  }
  return { length, as: [...Buffer.from(String.fromCharCode(unit), "utf8")] }
}

const unitAt = (bytes: Uint8Array, at: number, digits: number): number => {
  let unit = 0
  for (let index = 0; index < digits; index++) {
    const digit = hexValue(bytes[at + 2 + index])
    if (digit < 0) return -1
    unit = unit * 16 + digit
  }
  return unit
}
