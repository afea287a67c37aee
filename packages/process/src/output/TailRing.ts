/** The last bytes of a stream in a buffer that is written round and round. */

export class TailRing {
  readonly #buffer: Uint8Array
  #at = 0
  #total = 0

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(capacity)
  }

  /** Bytes pushed so far. */
  get total(): number {
    return this.#total
  }

  push(chunk: Uint8Array): void {
    const capacity = this.#buffer.length
    this.#total += chunk.length
    const kept = chunk.length > capacity ? chunk.subarray(chunk.length - capacity) : chunk
    const first = Math.min(kept.length, capacity - this.#at)
    this.#buffer.set(first === kept.length ? kept : kept.subarray(0, first), this.#at)
    if (first < kept.length) this.#buffer.set(kept.subarray(first), 0)
    this.#at = (this.#at + kept.length) % capacity
  }

  /** The kept bytes in order, as a copy. */
  bytes(): Uint8Array {
    if (this.#total < this.#buffer.length) return this.#buffer.slice(0, this.#total)
    const result = new Uint8Array(this.#buffer.length)
    result.set(this.#buffer.subarray(this.#at))
    result.set(this.#buffer.subarray(0, this.#at), this.#buffer.length - this.#at)
    return result
  }
}
