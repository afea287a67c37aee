/**
 * Finds every occurrence of many byte patterns at once.
 *
 * The text is looked at in steps of four bytes only: of four neighbouring places in a pattern, one falls on a step
 * whatever the pattern's place in the text is. So each pattern is filed under four of its 4-byte pieces (the rarest
 * four neighbours among all patterns), a table of pieces rejects nearly every step with one look, and what is left
 * is compared byte by byte. The cost does not grow with the number of patterns. (The idea of a block table is that
 * of Wu and Manber, "A fast algorithm for multi-pattern searching", 1994.)
 */

/** A stretch of bytes or text, `end` not included. */
export interface Interval {
  readonly start: number
  readonly end: number
}

interface Found {
  readonly last: { start: number; end: number }
  readonly report: (start: number, end: number) => void
  /** Set where nothing more is wanted. */
  done: boolean
}

/** Shortest pattern that the steps cannot miss: three bytes before a step, and the four of its piece. */
export const shortestPattern = 7

const piece = 4

export class ExactMatcher {
  /** Bytes of the longest pattern; 0 without patterns. */
  readonly longest: number
  private readonly patterns: ReadonlyArray<Uint8Array>
  /** For each hash of a piece, whether a pattern may hold it. */
  private readonly filter: Uint8Array
  private readonly shift: number
  /** Piece to its first entry; entries of one piece are chained through `next`. */
  private readonly heads = new Map<number, number>()
  private readonly next: Int32Array
  private readonly patternOf: Int32Array
  private readonly offsetOf: Uint32Array
  /** First bytes of patterns, for {@link unfinishedFrom}. */
  private readonly firstBytes = new Uint8Array(256)
  private readonly sorted: ReadonlyArray<Uint8Array>

  /** Patterns shorter than {@link shortestPattern} are left out; equal ones count once. */
  constructor(patterns: Iterable<Uint8Array>) {
    const distinct = new Map<string, Uint8Array>()
    for (const pattern of patterns) {
      if (pattern.length >= shortestPattern) distinct.set(Buffer.from(pattern).toString("latin1"), pattern)
    }
    this.patterns = [...distinct.values()]
    this.sorted = [...this.patterns].sort(Buffer.compare)
    this.longest = this.patterns.reduce((longest, pattern) => Math.max(longest, pattern.length), 0)
    const bits = Math.min(20, Math.max(10, Math.ceil(Math.log2(this.patterns.length * piece * 32 + 1))))
    this.shift = 32 - bits
    this.filter = new Uint8Array(1 << bits)
    this.next = new Int32Array(this.patterns.length * piece).fill(-1)
    this.patternOf = new Int32Array(this.patterns.length * piece)
    this.offsetOf = new Uint32Array(this.patterns.length * piece)
    this.file()
  }

  get isEmpty(): boolean {
    return this.patterns.length === 0
  }

  /**
   * Calls `found` for every occurrence of every pattern, in no particular order; one that lies inside the occurrence
   * reported before it is left out, so that a text that repeats itself is not compared over and over.
   */
  find(bytes: Uint8Array, report: (start: number, end: number) => void): void {
    this.search(bytes, { last: { start: 0, end: 0 }, report, done: false })
  }

  /** Whether any pattern occurs. */
  occurs(bytes: Uint8Array): boolean {
    const found: Found = {
      last: { start: 0, end: 0 },
      report: () => {
        found.done = true
      },
      done: false
    }
    this.search(bytes, found)
    return found.done
  }

  private search(bytes: Uint8Array, found: Found): void {
    if (this.patterns.length === 0 || bytes.length < shortestPattern) return
    // Whole words only where memory is aligned; the steps begin at the first aligned byte.
    const first = (piece - (bytes.byteOffset % piece)) % piece
    const words = new Int32Array(bytes.buffer, bytes.byteOffset + first, (bytes.length - first) >> 2)
    const { filter, shift } = this
    // Four steps a question: most questions are answered with no, and a branch costs more than a look.
    const whole = words.length & ~3
    for (let index = 0; index < whole; index += 4) {
      const any =
        (filter[Math.imul(words[index] ?? 0, hashFactor) >>> shift] ?? 0) |
        (filter[Math.imul(words[index + 1] ?? 0, hashFactor) >>> shift] ?? 0) |
        (filter[Math.imul(words[index + 2] ?? 0, hashFactor) >>> shift] ?? 0) |
        (filter[Math.imul(words[index + 3] ?? 0, hashFactor) >>> shift] ?? 0)
      if (any === 0) continue
      for (let step = index; step < index + 4; step++) this.step(bytes, words, first, step, found)
      if (found.done) return
    }
    for (let index = whole; index < words.length; index++) this.step(bytes, words, first, index, found)
  }

  /**
   * The first place from which the rest of `bytes` is the beginning of a pattern and not all of it: what comes next
   * may complete it. The length of `bytes` where nothing is unfinished.
   */
  unfinishedFrom(bytes: Uint8Array): number {
    for (let start = Math.max(0, bytes.length - this.longest + 1); start < bytes.length; start++) {
      if (this.firstBytes[bytes[start] ?? 0] !== 0 && this.begins(bytes, start)) return start
    }
    return bytes.length
  }

  private step(bytes: Uint8Array, words: Int32Array, first: number, index: number, found: Found): void {
    const word = words[index] ?? 0
    if (this.filter[Math.imul(word, hashFactor) >>> this.shift] !== 0) {
      this.compare(bytes, word, first + index * piece, found)
    }
  }

  private compare(bytes: Uint8Array, word: number, at: number, found: Found): void {
    for (let entry = this.heads.get(word) ?? -1; entry >= 0; entry = this.next[entry] ?? -1) {
      const pattern = this.patterns[this.patternOf[entry] ?? 0]
      const start = at - (this.offsetOf[entry] ?? 0)
      if (pattern === undefined || start < 0) continue
      const end = start + pattern.length
      const { last } = found
      if ((start >= last.start && end <= last.end) || !matchesAt(bytes, start, pattern)) continue
      last.start = start
      last.end = end
      found.report(start, end)
    }
  }

  /** Whether a pattern begins with `bytes` from `start` on, and goes on after it. */
  private begins(bytes: Uint8Array, start: number): boolean {
    let low = 0
    let high = this.sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      const pattern = this.sorted[middle]
      if (pattern !== undefined && orderOf(pattern, bytes, start) < 0) low = middle + 1
      else high = middle
    }
    // Among equal beginnings the pattern that ends here sorts first; the one that goes on comes after it.
    for (let index = low; index < this.sorted.length; index++) {
      const pattern = this.sorted[index]
      if (pattern === undefined || orderOf(pattern, bytes, start) !== 0) return false
      if (pattern.length > bytes.length - start) return true
    }
    return false
  }

  private file(): void {
    const frequency = this.frequencies()
    let entry = 0
    this.patterns.forEach((pattern, id) => {
      this.firstBytes[pattern[0] ?? 0] = 1
      const start = rarestStart(pattern, frequency)
      for (let offset = start; offset < start + piece; offset++, entry++) {
        const word = wordAt(pattern, offset)
        this.filter[Math.imul(word, hashFactor) >>> this.shift] = 1
        this.patternOf[entry] = id
        this.offsetOf[entry] = offset
        this.next[entry] = this.heads.get(word) ?? -1
        this.heads.set(word, entry)
      }
    })
  }

  /** How often each piece stands in the patterns, by hash: two pieces that share one only look less rare. */
  private frequencies(): Uint32Array {
    const frequency = new Uint32Array(1 << frequencyBits)
    for (const pattern of this.patterns) {
      for (let offset = 0; offset + piece <= headOf(pattern); offset++) {
        const at = Math.imul(wordAt(pattern, offset), hashFactor) >>> (32 - frequencyBits)
        frequency[at] = (frequency[at] ?? 0) + 1
      }
    }
    return frequency
  }
}

const frequencyBits = 16

/** Bytes of a pattern among which the rarest pieces are chosen. */
const headOf = (pattern: Uint8Array): number => Math.min(pattern.length, 256)

/** Knuth's multiplicative hash, 2^32 divided by the golden ratio. */
const hashFactor = 0x9e3779b1

/** The little-endian word at `offset`, as an `Int32Array` reads it. */
const wordAt = (bytes: Uint8Array, offset: number): number =>
  (bytes[offset] ?? 0) |
  ((bytes[offset + 1] ?? 0) << 8) |
  ((bytes[offset + 2] ?? 0) << 16) |
  ((bytes[offset + 3] ?? 0) << 24)

/** Where four neighbouring pieces stand that the fewest patterns share. */
const rarestStart = (pattern: Uint8Array, frequency: Uint32Array): number => {
  const costs: Array<number> = []
  for (let offset = 0; offset + piece <= headOf(pattern); offset++) {
    costs.push(frequency[Math.imul(wordAt(pattern, offset), hashFactor) >>> (32 - frequencyBits)] ?? 0)
  }
  let best = 0
  let bestCost = Number.POSITIVE_INFINITY
  for (let start = 0; start + piece <= costs.length; start++) {
    const cost = (costs[start] ?? 0) + (costs[start + 1] ?? 0) + (costs[start + 2] ?? 0) + (costs[start + 3] ?? 0)
    if (cost < bestCost) {
      best = start
      bestCost = cost
    }
  }
  return best
}

const matchesAt = (bytes: Uint8Array, start: number, pattern: Uint8Array): boolean => {
  if (start + pattern.length > bytes.length) return false
  for (let index = 0; index < pattern.length; index++) {
    if (bytes[start + index] !== pattern[index]) return false
  }
  return true
}

/** Order of `pattern` against the rest of `bytes` from `start`; 0 where one begins with the other. */
const orderOf = (pattern: Uint8Array, bytes: Uint8Array, start: number): number => {
  const length = Math.min(pattern.length, bytes.length - start)
  for (let index = 0; index < length; index++) {
    const difference = (pattern[index] ?? 0) - (bytes[start + index] ?? 0)
    if (difference !== 0) return difference
  }
  // A pattern that ends before the rest does is before every pattern that reaches to its end.
  return pattern.length < bytes.length - start ? -1 : 0
}

/** Overlapping and touching intervals become one; sorted by start. */
export const united = (intervals: ReadonlyArray<Interval>): ReadonlyArray<Interval> => {
  if (intervals.length < 2) return intervals
  const sorted = [...intervals].sort((left, right) => left.start - right.start)
  const result: Array<{ start: number; end: number }> = []
  for (const { start, end } of sorted) {
    const last = result[result.length - 1]
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else result.push({ start, end })
  }
  return result
}
