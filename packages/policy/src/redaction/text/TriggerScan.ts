/**
 * Looks for many short pieces in bytes at some gigabytes a second, letter case folded.
 *
 * As the exact matcher it looks at every fourth byte only: each piece is filed under the four neighbouring 4-byte
 * words, one of which falls on a step, that the fewest texts can hold. A table of hashes rejects nearly every step;
 * what is left is looked up and compared.
 */

/** A piece, place by place: the characters that may stand there, in small letters. */
export type Piece = ReadonlyArray<string>

export interface TriggerScan {
  /** Whether any piece occurs in `bytes`, letter case disregarded. */
  readonly occurs: (bytes: Uint8Array) => boolean
}

/** A piece of these very characters. */
export const literal = (text: string): Piece => [...text]

const step = 4
const hashFactor = 0x9e3779b1
const secondFactor = 0x85ebca6b
const hashBits = 18
const hashShift = 32 - hashBits

/** Bit 5 set: small and capital letters become one; other bytes share it in pairs, which only costs a look. */
const foldedWord = 0x20202020
const folded = (code: number): number => code | 0x20

interface Entry {
  readonly piece: ReadonlyArray<Uint8Array>
  /** Where the word stands in the piece; negative: before it. */
  readonly offset: number
  readonly confirm: Confirm | undefined
}

/** A second look at a place where a piece was found. */
export type Confirm = (bytes: Uint8Array, start: number) => boolean

export const makeTriggerScan = (
  groups: ReadonlyArray<{ readonly pieces: ReadonlyArray<Piece>; readonly confirm?: Confirm }>
): TriggerScan => {
  /** By hash of a whole word; and of its last three bytes, where a piece begins behind its first. */
  const wholes = new Uint8Array(1 << hashBits)
  const tails = new Uint8Array(1 << hashBits)
  /** Of both kinds, by another hash: what only shares the first one goes no further. */
  const confirmed = new Uint8Array(1 << hashBits)
  const byWhole = new Map<number, Array<Entry>>()
  const byTail = new Map<number, Array<Entry>>()
  for (const { pieces, confirm } of groups) {
    for (const piece of pieces) {
      const sets = piece.map(setOf)
      for (const { offset, tail } of cheapestWindows(sets)) {
        const entry: Entry = { piece: sets, offset, confirm }
        for (const word of wordsAt(sets, offset, tail)) {
          const filter = tail ? tails : wholes
          filter[Math.imul(word, hashFactor) >>> hashShift] = 1
          confirmed[Math.imul(word, secondFactor) >>> hashShift] = 1
          const entries = tail ? byTail : byWhole
          const known = entries.get(word)
          if (known === undefined) entries.set(word, [entry])
          else known.push(entry)
        }
      }
    }
  }

  const isKnown = (filter: Uint8Array, word: number): number =>
    (filter[Math.imul(word, hashFactor) >>> hashShift] ?? 0) &
    (confirmed[Math.imul(word, secondFactor) >>> hashShift] ?? 0)
  const holds = (bytes: Uint8Array, word: number, at: number): boolean =>
    (isKnown(wholes, word) === 1 && anyFits(byWhole.get(word), bytes, at)) ||
    (isKnown(tails, word >>> 8) === 1 && anyFits(byTail.get(word >>> 8), bytes, at))
  const occurs = (bytes: Uint8Array): boolean => {
    const lead = (step - (bytes.byteOffset % step)) % step
    const count = Math.max(0, (bytes.length - lead) >> 2)
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + lead, count)
    const whole = count & ~3
    for (let index = 0; index < whole; index += 4) {
      const a = (words[index] ?? 0) | foldedWord
      const b = (words[index + 1] ?? 0) | foldedWord
      const c = (words[index + 2] ?? 0) | foldedWord
      const d = (words[index + 3] ?? 0) | foldedWord
      const any =
        (wholes[Math.imul(a, hashFactor) >>> hashShift] ?? 0) |
        (wholes[Math.imul(b, hashFactor) >>> hashShift] ?? 0) |
        (wholes[Math.imul(c, hashFactor) >>> hashShift] ?? 0) |
        (wholes[Math.imul(d, hashFactor) >>> hashShift] ?? 0) |
        (tails[Math.imul(a >>> 8, hashFactor) >>> hashShift] ?? 0) |
        (tails[Math.imul(b >>> 8, hashFactor) >>> hashShift] ?? 0) |
        (tails[Math.imul(c >>> 8, hashFactor) >>> hashShift] ?? 0) |
        (tails[Math.imul(d >>> 8, hashFactor) >>> hashShift] ?? 0)
      if (any === 0) continue
      // Most of these only share a hash with a piece: a second hash tells, before anything is looked up.
      const sure =
        isKnown(wholes, a) |
        isKnown(wholes, b) |
        isKnown(wholes, c) |
        isKnown(wholes, d) |
        isKnown(tails, a >>> 8) |
        isKnown(tails, b >>> 8) |
        isKnown(tails, c >>> 8) |
        isKnown(tails, d >>> 8)
      if (sure === 0) continue
      const at = lead + index * step
      if (holds(bytes, a, at) || holds(bytes, b, at + 4) || holds(bytes, c, at + 8) || holds(bytes, d, at + 12)) {
        return true
      }
    }
    return endsHold(bytes, lead + whole * step)
  }
  /** Both ends, where no whole step stands: as if blanks stood around the bytes. */
  const endsHold = (bytes: Uint8Array, from: number): boolean => {
    for (const at of [...range(-3, 12), ...range(Math.max(-3, from - 12), bytes.length + 1)]) {
      let word = 0
      for (let index = step - 1; index >= 0; index--) word = (word << 8) | folded(bytes[at + index] ?? 0x20)
      if (holds(bytes, word, at)) return true
    }
    return false
  }
  return { occurs }
}

const range = (from: number, to: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)

const setOf = (characters: string): Uint8Array => {
  const set = new Uint8Array(256)
  for (const character of characters) set[folded(character.charCodeAt(0))] = 1
  return set
}

const everything = new Uint8Array(256).fill(0)
for (let code = 0; code < 256; code++) everything[folded(code)] = 1

interface Window {
  readonly offset: number
  /** Whether the last three bytes of the word are enough. */
  readonly tail: boolean
  /** About how many of a million words fit it. */
  readonly hits: number
}

/** The four neighbouring windows that the fewest words of ordinary JSON fit. */
const cheapestWindows = (sets: ReadonlyArray<Uint8Array>): ReadonlyArray<Window> => {
  const shares = sets.map(shareOf)
  const sizes = sets.map((set) => membersOf(set).length)
  const product = (values: ReadonlyArray<number>, outside: number, from: number, to: number): number =>
    range(from, to).reduce((result, at) => result * (values[at] ?? outside), 1)
  const windows = range(-3, sets.length).map((offset): Window => {
    // What fills a table costs too: other words fall on the same hash.
    const cost = (from: number): number =>
      (isCommon(sets, from, offset + step) ? commonHits : product(shares, 1, from, offset + step) * 1e6) +
      product(sizes, 128, from, offset + step) * entryCost
    const [whole, tail] = [cost(offset), cost(offset + 1)]
    return whole <= tail ? { offset, tail: false, hits: whole } : { offset, tail: true, hits: tail }
  })
  const costOf = (first: number): number =>
    windows.slice(first, first + step).reduce((sum, window) => sum + window.hits, 0)
  const firsts = range(0, windows.length - step + 1)
  const best = firsts.reduce((left, right) => (costOf(right) < costOf(left) ? right : left), 0)
  return windows.slice(best, best + step)
}

/** What JSON and English prose hold once in a hundred words: shares of single letters do not show it. */
const commonHits = 10_000
const commonLetters = ["ion", "on ", "ing", "ent", "the"]
/** The end of a field's name, with one letter of it at most. */
const nameEnd = '":'

const isCommon = (sets: ReadonlyArray<Uint8Array>, from: number, to: number): boolean => {
  const standsIn = (letters: string, start: number): boolean =>
    start >= 0 && [...letters].every((letter, index) => sets[start + index]?.[letter.charCodeAt(0)] === 1)
  return (
    commonLetters.some((letters) => range(from, to - letters.length + 1).some((start) => standsIn(letters, start))) ||
    standsIn(nameEnd, from) ||
    standsIn(nameEnd, from + 1)
  )
}

/** A word more in a table of 2^18 is hit by this many of a million others. */
const entryCost = 4

/** Shares of characters in JSON, in percent, letters folded: counted over package manifests and API answers. */
const shares = new Map<string, number>(
  Object.entries({
    e: 9,
    t: 7,
    a: 7,
    o: 6,
    i: 6,
    n: 6,
    s: 5.5,
    r: 5,
    h: 3,
    l: 3.5,
    d: 3.5,
    c: 3,
    u: 2.5,
    m: 2.5,
    p: 2,
    f: 1.8,
    g: 1.5,
    y: 1.2,
    w: 1,
    b: 1.2,
    v: 0.8,
    k: 0.8,
    x: 0.3,
    j: 0.2,
    q: 0.1,
    z: 0.1,
    '"': 8,
    // Behind a quote it is nearly certain.
    ":": 4,
    ",": 4,
    " ": 6,
    _: 1.5,
    "-": 1.2,
    ".": 1.5,
    "/": 1.2
  })
)
const digitShare = 1.2
const otherShare = 0.1

const shareOf = (set: Uint8Array): number => {
  let percent = 0
  for (const code of membersOf(set)) {
    const character = code === folded(0x5f) ? "_" : String.fromCharCode(code)
    percent += shares.get(character) ?? (code >= 0x30 && code <= 0x39 ? digitShare : otherShare)
  }
  return Math.min(1, percent / 100)
}

/** Every word that may stand at `offset` of a piece, folded; with `tail` its last three bytes. */
const wordsAt = (sets: ReadonlyArray<Uint8Array>, offset: number, tail: boolean): ReadonlyArray<number> => {
  let words = [0]
  for (let index = tail ? 1 : 0; index < step; index++) {
    const shift = 8 * (tail ? index - 1 : index)
    const codes = membersOf(sets[offset + index] ?? everything)
    words = words.flatMap((word) => codes.map((code) => word | (code << shift)))
  }
  return words
}

const membersOf = (set: Uint8Array): ReadonlyArray<number> => {
  const codes: Array<number> = []
  for (let code = 0; code < set.length; code++) if (set[code] === 1) codes.push(code)
  return codes
}

// Plain loops: a text may hold thousands of words that pieces share with ordinary prose.
const anyFits = (entries: ReadonlyArray<Entry> | undefined, bytes: Uint8Array, at: number): boolean => {
  if (entries === undefined) return false
  for (const { confirm, offset, piece } of entries) {
    const start = at - offset
    if (standsAt(bytes, start, piece) && (confirm === undefined || confirm(bytes, start))) return true
  }
  return false
}

/** Whether `piece` stands at `start`; what lies outside the bytes counts as a blank. */
const standsAt = (bytes: Uint8Array, start: number, piece: ReadonlyArray<Uint8Array>): boolean => {
  for (let index = 0; index < piece.length; index++) {
    if (piece[index]?.[folded(bytes[start + index] ?? 0x20)] !== 1) return false
  }
  return true
}
