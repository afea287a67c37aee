/** A stream whose bytes are a protocol: handed on as they come, counted, and not kept. */
import type { StreamTail } from "../Processes.ts"

export class RawStream {
  readonly #onBytes: (bytes: Uint8Array) => void
  #bytes = 0
  #failed = false

  constructor(onBytes: (bytes: Uint8Array) => void) {
    this.#onBytes = onBytes
  }

  /** Whether the receiver threw. */
  get failed(): boolean {
    return this.#failed
  }

  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    if (this.#failed) return
    try {
      this.#onBytes(chunk)
    } catch {
      this.#failed = true
    }
  }

  end(): void {}

  /** No text: what a protocol said is its reader's to keep. */
  tail(): StreamTail {
    return { text: "", bytes: this.#bytes, chars: 0, truncated: false }
  }
}
