/** One clock for all exchanges: a timer for each would cost more than the exchange. */

/** Something that ends itself when its time has come. */
export interface Timed {
  readonly tick: (now: number) => void
}

/** How late a limit may be noticed, in milliseconds. */
export const tickMillis = 25

/** Monotonic milliseconds. */
export const monotonicMillis = (): number => performance.now()

class Deadlines {
  readonly #timed = new Set<Timed>()
  #timer: NodeJS.Timeout | null = null

  add(timed: Timed): void {
    this.#timed.add(timed)
    // The sockets of what is timed keep the process alive, not the clock.
    this.#timer ??= setInterval(() => this.#tick(), tickMillis).unref()
  }

  delete(timed: Timed): void {
    this.#timed.delete(timed)
  }

  #tick(): void {
    const now = monotonicMillis()
    for (const timed of this.#timed) timed.tick(now)
    if (this.#timed.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

/** Of the process; it ticks while anything is timed. */
export const deadlines = new Deadlines()
