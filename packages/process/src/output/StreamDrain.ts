/**
 * What happens to the bytes of one stream, in the order in which it must happen: masked first, and only then counted,
 * kept, shown and written. It runs in `data` handlers, so it is synchronous and never waits.
 */
import type { OutputMask, StreamTail } from "../Processes.ts"
import { StreamTails } from "./StreamTails.ts"

export interface DrainTargets {
  readonly mask: OutputMask | null
  /** Text as it comes, a character never cut in two; null where nobody watches. */
  readonly onText: ((text: string) => void) | null
  /** Masked bytes, for whoever stores them; null where nothing is stored. */
  readonly onBytes: ((bytes: Uint8Array) => void) | null
}

export class StreamDrain {
  readonly #tails = new StreamTails()
  readonly #targets: DrainTargets
  readonly #decoder: InstanceType<typeof TextDecoder> | null
  #failed = false
  #ended = false

  constructor(targets: DrainTargets) {
    this.#targets = targets
    this.#decoder = targets.onText === null ? null : new TextDecoder("utf-8", { ignoreBOM: true })
  }

  /** Whether the mask or a watcher threw. From then on nothing of the stream is kept: it could not be masked. */
  get failed(): boolean {
    return this.#failed
  }

  push(chunk: Uint8Array): void {
    this.#guarded(() => this.#keep(this.#targets.mask === null ? chunk : this.#targets.mask.push(chunk)))
  }

  /** The stream is at its end: what the mask held back comes out. Once. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#guarded(() => {
      if (this.#targets.mask !== null) this.#keep(this.#targets.mask.end())
      const rest = this.#decoder?.decode() ?? ""
      if (rest !== "") this.#targets.onText?.(rest)
    })
  }

  tail(): StreamTail {
    return this.#tails.tail()
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return
    this.#tails.push(bytes)
    this.#targets.onBytes?.(bytes)
    const text = this.#decoder?.decode(bytes, { stream: true }) ?? ""
    if (text !== "") this.#targets.onText?.(text)
  }

  #guarded(work: () => void): void {
    if (this.#failed) return
    try {
      work()
    } catch {
      // The cause may hold what was to be masked.
      this.#failed = true
    }
  }
}
