/** How often somebody may do something: so many at once, and so many a second after that. Pure but for its own memory. */

export interface Rate {
  readonly perSecond: number
  /** What may come at once after a pause. */
  readonly burst: number
}

/** Keys that are remembered; one that is forgotten starts with a full measure. */
const keyLimit = 4_096

export class RateLimit {
  private readonly rate: Rate
  private readonly left = new Map<string, { readonly count: number; readonly at: number }>()

  constructor(rate: Rate) {
    this.rate = rate
  }

  /** Takes one for `key` at `now` (milliseconds). Whole seconds to wait where there is none, else 0. */
  take(key: string, now: number): number {
    const available = this.available(key, now)
    if (available < 1) return Math.max(1, Math.ceil((1 - available) / this.rate.perSecond))
    this.left.delete(key)
    this.left.set(key, { count: available - 1, at: now })
    const [oldest] = this.left.keys()
    if (this.left.size > keyLimit && oldest !== undefined) this.left.delete(oldest)
    return 0
  }

  /** Whether {@link take} would give one, without taking it. */
  has(key: string, now: number): boolean {
    return this.available(key, now) >= 1
  }

  private available(key: string, now: number): number {
    const { burst, perSecond } = this.rate
    const known = this.left.get(key)
    return known === undefined
      ? burst
      : Math.min(burst, known.count + (Math.max(0, now - known.at) / 1_000) * perSecond)
  }
}
