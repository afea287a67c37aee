/**
 * Output of a task as chunks of at most 8 KiB, cut at line ends where there are any, the oldest going when there are too
 * many lines. Pure: what is to be written and removed is answered, not done.
 */
import { splitsPair } from "@gatehouse/core/BoundedText"

/** UTF-16 units of one chunk at most; also of one line that is shown. */
export const logChunkLimit = 8_192

/** Lines that are kept. */
export const logLineLimit = 4_000

/** What is shown of a log beside its task: the last lines, and characters of them. */
export const tailLineLimit = 40
export const tailCharacterLimit = 8_000

export type LogStream = "stdout" | "stderr"

export interface LogChunk {
  readonly sequence: number
  readonly stream: LogStream
  readonly text: string
  /** Lines before this chunk, gone ones included. */
  readonly firstLine: number
  /** Lines of this chunk; a part of a line is one. */
  readonly lines: number
}

export interface LogStep {
  readonly chunks: ReadonlyArray<LogChunk>
  /** Chunks up to this one go; 0 where all stay. */
  readonly removeUpTo: number
}

/** The log of one task, written by its one owner. */
export interface TaskLogState {
  /** Complete lines of what is there, and whatever is too long to wait for its line's end. */
  readonly push: (stream: LogStream, text: string) => LogStep
  /** What is left, without a line's end. */
  readonly flush: () => LogStep
}

export const makeTaskLog = (): TaskLogState => {
  const rest: Record<LogStream, string> = { stdout: "", stderr: "" }
  /** Chunks that are kept, oldest first. */
  let kept: Array<{ readonly sequence: number; readonly lines: number }> = []
  let keptLines = 0
  let sequence = 0
  let lineCount = 0

  const take = (stream: LogStream, text: string): LogChunk => {
    const lines = countLines(text)
    const chunk = { sequence: ++sequence, stream, text, firstLine: lineCount, lines }
    lineCount += lines
    kept.push({ sequence, lines })
    keptLines += lines
    return chunk
  }
  const trim = (): number => {
    let gone = 0
    for (const oldest of kept) {
      if (keptLines - oldest.lines < logLineLimit) break
      keptLines -= oldest.lines
      gone += 1
    }
    if (gone === 0) return 0
    const removed = kept[gone - 1]?.sequence ?? 0
    kept = kept.slice(gone)
    return removed
  }
  const step = (chunks: ReadonlyArray<LogChunk>): LogStep => ({ chunks, removeUpTo: trim() })

  return {
    push: (stream, text) => {
      const chunks: Array<LogChunk> = []
      let waiting = rest[stream] + text
      for (let end = chunkEnd(waiting); end > 0; end = chunkEnd(waiting)) {
        chunks.push(take(stream, waiting.slice(0, end)))
        waiting = waiting.slice(end)
      }
      rest[stream] = waiting
      return step(chunks)
    },
    flush: () => {
      const chunks: Array<LogChunk> = []
      for (const stream of ["stdout", "stderr"] as const) {
        if (rest[stream] !== "") chunks.push(take(stream, rest[stream]))
        rest[stream] = ""
      }
      return step(chunks)
    }
  }
}

/** Where the first chunk of `text` ends: behind the last line end within the limit, else at the limit; 0 to wait for more. */
const chunkEnd = (text: string): number => {
  const lineEnd = text.lastIndexOf("\n", logChunkLimit - 1) + 1
  if (lineEnd > 0) return lineEnd
  if (text.length <= logChunkLimit) return 0
  return splitsPair(text, logChunkLimit) ? logChunkLimit - 1 : logChunkLimit
}

const countLines = (text: string): number => {
  let count = text.endsWith("\n") ? 0 : 1
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1
  return count
}

/** The last lines of chunks in order: {@link tailLineLimit} lines, {@link tailCharacterLimit} characters. */
export const logTail = (texts: ReadonlyArray<string>): string => {
  const lines = texts.join("").split("\n")
  // The end of the last line is no line of its own.
  const end = lines.at(-1) === "" ? 1 : 0
  const tail = lines.slice(Math.max(0, lines.length - end - tailLineLimit)).join("\n")
  if (tail.length <= tailCharacterLimit) return tail
  const start = tail.length - tailCharacterLimit
  return tail.slice(splitsPair(tail, start) ? start + 1 : start)
}
