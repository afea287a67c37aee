/** Cuts the output of a stdio server into lines, within a bound and whatever pieces it comes in. */

export interface LineReaderOptions {
  /** Bytes that one line may take. */
  readonly limit: number
  readonly onLine: (line: string) => void
  /** A line beyond the limit: its first and last bytes as text, and its length. The rest was dropped as it came. */
  readonly onTooLong: (head: string, tail: string, bytes: number) => void
}

/** Bytes kept of both ends of a line beyond the limit: an id stands in one of them. */
const endBytes = 512

export class LineReader {
  private pieces: Array<Uint8Array> = []
  private length = 0
  private dropping: { readonly head: Buffer; tail: Buffer } | null = null
  private readonly options: LineReaderOptions

  constructor(options: LineReaderOptions) {
    this.options = options
  }

  push(chunk: Uint8Array): void {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(newline, from)
      if (end === -1) break
      this.add(chunk.subarray(from, end))
      this.finish()
      from = end + 1
    }
    if (from < chunk.length) this.add(chunk.subarray(from))
  }

  private add(piece: Uint8Array): void {
    this.length += piece.length
    if (this.dropping !== null) {
      this.dropping.tail = lastBytes(Buffer.concat([this.dropping.tail, piece]))
      return
    }
    this.pieces.push(piece)
    if (this.length <= this.options.limit) {
      // A sender of single bytes must not cost an object a byte.
      if (this.pieces.length > pieceLimit) this.pieces = [Buffer.concat(this.pieces)]
      return
    }
    const all = Buffer.concat(this.pieces)
    this.dropping = { head: Buffer.from(all.subarray(0, endBytes)), tail: lastBytes(all) }
    this.pieces = []
  }

  private finish(): void {
    const { dropping, length, pieces } = this
    this.pieces = []
    this.length = 0
    this.dropping = null
    if (dropping !== null) {
      this.options.onTooLong(dropping.head.toString("utf8"), dropping.tail.toString("utf8"), length)
      return
    }
    const [only] = pieces
    const bytes =
      pieces.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.length)
        : Buffer.concat(pieces)
    this.options.onLine(bytes.toString("utf8"))
  }
}

const newline = 0x0a
const pieceLimit = 1_024

const lastBytes = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(Math.max(0, bytes.length - endBytes)))
