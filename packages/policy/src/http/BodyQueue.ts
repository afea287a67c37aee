/** The body of an answer between the socket and its reader: counted, bounded, and paused while nobody reads. */
import { ExchangeFailure } from "./ExchangeFailure.ts"
import { queueBytes } from "./HttpLimits.ts"

/** What a reader gets: pieces, the end, or the failure that ended it. */
export type BodyStep =
  | { readonly _tag: "pieces"; readonly pieces: ReadonlyArray<Uint8Array> }
  | { readonly _tag: "end" }
  | { readonly _tag: "failed"; readonly failure: ExchangeFailure }

export interface BodySource {
  /** Calls back once, at once or later. One call at a time. */
  readonly next: (read: (step: BodyStep) => void) => void
  /** Closes the connection unless the body has come to its end. */
  readonly cancel: () => void
}

export interface BodyUpstream {
  /** The queue has room again after `push` said no. */
  readonly resume: () => void
  /** The reader is gone, or the limit was reached. */
  readonly abort: (failure: ExchangeFailure) => void
}

export class BodyQueue implements BodySource {
  readonly #limit: number | null
  readonly #upstream: BodyUpstream
  #pieces: Array<Uint8Array> = []
  #waiting = 0
  #total = 0
  #full = false
  #over: Exclude<BodyStep, { readonly _tag: "pieces" }> | null = null
  #reader: ((step: BodyStep) => void) | null = null

  constructor(limit: number | null, upstream: BodyUpstream) {
    this.#limit = limit
    this.#upstream = upstream
  }

  /** Whether the sender may go on; after `false` it waits for `resume`. */
  push(piece: Uint8Array): boolean {
    if (this.#over !== null) return true
    this.#total += piece.byteLength
    if (this.#limit !== null && this.#total > this.#limit) {
      const failure = new ExchangeFailure("size", `sends more than ${this.#limit} bytes`, { connected: true })
      this.fail(failure)
      this.#upstream.abort(failure)
      return true
    }
    const reader = this.#reader
    if (reader !== null) {
      this.#reader = null
      reader({ _tag: "pieces", pieces: [piece] })
      return true
    }
    this.#pieces.push(piece)
    this.#waiting += piece.byteLength
    this.#full = this.#waiting >= queueBytes
    return !this.#full
  }

  end(): void {
    this.#finish({ _tag: "end" })
  }

  /** What is queued is dropped: a body that broke is not read to the break. */
  fail(failure: ExchangeFailure): void {
    this.#finish({ _tag: "failed", failure })
  }

  next(read: (step: BodyStep) => void): void {
    if (this.#pieces.length > 0 && this.#over?._tag !== "failed") {
      const pieces = this.#pieces
      this.#pieces = []
      this.#waiting = 0
      read({ _tag: "pieces", pieces })
      if (this.#full) {
        this.#full = false
        this.#upstream.resume()
      }
    } else if (this.#over !== null) read(this.#over)
    else this.#reader = read
  }

  cancel(): void {
    if (this.#over !== null) return
    const failure = new ExchangeFailure("request", "was given up", { connected: true })
    this.fail(failure)
    this.#upstream.abort(failure)
  }

  #finish(step: Exclude<BodyStep, { readonly _tag: "pieces" }>): void {
    if (this.#over !== null) return
    this.#over = step
    if (step._tag === "failed") this.#pieces = []
    const reader = this.#reader
    this.#reader = null
    reader?.(step)
  }
}

/** Reads all of `source` into one array. */
export const collect = (source: BodySource, done: (result: Uint8Array | ExchangeFailure) => void): void => {
  const pieces: Array<Uint8Array> = []
  const read = (step: BodyStep): void => {
    if (step._tag === "failed") return done(step.failure)
    if (step._tag === "end")
      return done(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces))
    for (const piece of step.pieces) pieces.push(piece)
    source.next(read)
  }
  source.next(read)
}

/** Reads up to `limit` bytes and drops them, so that the connection can be used again; closes it at more. */
export const drain = (source: BodySource, limit: number): void => {
  let read = 0
  const step = (next: BodyStep): void => {
    if (next._tag !== "pieces") return
    for (const piece of next.pieces) read += piece.byteLength
    if (read > limit) source.cancel()
    else source.next(step)
  }
  source.next(step)
}
