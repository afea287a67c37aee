/** The last bytes of a stream in a buffer that is written round and round. */

export class TailRing {
  readonly #capacity: number
  /** Allocated with the first byte: most streams of most commands have none. */
  #buffer: Uint8Array | null = null
  #at = 0
  #total = 0

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Bytes pushed so far. */
  get total(): number {
    return this.#total
  }

  push(chunk: Uint8Array): void {
    const buffer = (this.#buffer ??= new Uint8Array(this.#capacity))
    this.#total += chunk.length
    const kept = chunk.length > buffer.length ? chunk.subarray(chunk.length - buffer.length) : chunk
    const first = Math.min(kept.length, buffer.length - this.#at)
    buffer.set(first === kept.length ? kept : kept.subarray(0, first), this.#at)
    if (first < kept.length) buffer.set(kept.subarray(first), 0)
    this.#at = (this.#at + kept.length) % buffer.length
  }

  /** The kept bytes in order, as a copy. */
  bytes(): Uint8Array {
    const buffer = this.#buffer
    if (buffer === null) return new Uint8Array(0)
    if (this.#total < buffer.length) return buffer.slice(0, this.#total)
    const result = new Uint8Array(buffer.length)
    result.set(buffer.subarray(this.#at))
    result.set(buffer.subarray(0, this.#at), buffer.length - this.#at)
    return result
  }
}
