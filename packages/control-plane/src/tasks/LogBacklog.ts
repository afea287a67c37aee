/**
 * Output of a task that is not in its log yet. What writes is never held up: where it is faster than the store, the
 * oldest that waits is left out, and the log says how much. Pure.
 */
import type { LogStream } from "./TaskLog.ts"

/** UTF-16 units that wait at most. */
export const backlogLimit = 1_048_576

export interface LogPiece {
  readonly stream: LogStream
  readonly text: string
}

export class LogBacklog {
  #pieces: Array<LogPiece> = []
  #length = 0
  #leftOut = 0

  push(stream: LogStream, text: string): void {
    this.#pieces.push({ stream, text })
    this.#length += text.length
    // Cut back to half: a shift for every piece would cost more than what it saves.
    if (this.#length > backlogLimit) this.#cut()
  }

  /** What waits, in order, neighbours of one stream joined; nothing waits after it. */
  take(): ReadonlyArray<LogPiece> {
    const gap: ReadonlyArray<LogPiece> =
      this.#leftOut === 0 ? [] : [{ stream: "stdout", text: `\n[… ${this.#leftOut} characters left out …]\n` }]
    const taken = [...gap, ...joined(this.#pieces)]
    this.#pieces = []
    this.#length = 0
    this.#leftOut = 0
    return taken
  }

  #cut(): void {
    const kept: Array<LogPiece> = []
    let room = backlogLimit / 2
    for (const piece of this.#pieces.toReversed()) {
      if (room === 0) break
      const text = piece.text.length > room ? piece.text.slice(piece.text.length - room) : piece.text
      kept.unshift({ stream: piece.stream, text })
      room -= text.length
    }
    const length = backlogLimit / 2 - room
    this.#leftOut += this.#length - length
    this.#pieces = kept
    this.#length = length
  }
}

const joined = (pieces: ReadonlyArray<LogPiece>): ReadonlyArray<LogPiece> => {
  const runs: Array<{ readonly stream: LogStream; readonly texts: Array<string> }> = []
  for (const { stream, text } of pieces) {
    const last = runs.at(-1)
    if (last?.stream === stream) last.texts.push(text)
    else runs.push({ stream, texts: [text] })
  }
  return runs.map(({ stream, texts }) => ({ stream, text: texts.join("") }))
}
