/** Reads what ripgrep writes, while it writes it, within bounds. */
import { splitsPair } from "@gatehouse/core/BoundedText"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Characters of a line that are shown. */
export const shownLineCharacters = 300

export interface LineMatch {
  /** Relative to the folder of the search, with `/`. */
  readonly path: string
  readonly line: number
  readonly text: string
  /** Bytes of the file before the match. */
  readonly offset: number
}

/** Bytes of one record: a line beyond is passed over. */
const recordLimit = 4 * 1024 * 1024

/**
 * Cuts bytes into records at `separator` and hands each to `take`; a record beyond the limit is counted instead.
 */
export const makeRecordReader = (separator: number, take: (record: Buffer) => void) => {
  let held: Array<Buffer> = []
  let size = 0
  let passedOver = 0
  const hold = (part: Buffer): void => {
    size += part.length
    if (size <= recordLimit) held.push(part)
    else held = []
  }
  return {
    push: (bytes: Uint8Array): void => {
      const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      let start = 0
      for (let end = chunk.indexOf(separator); end !== -1; end = chunk.indexOf(separator, start)) {
        hold(chunk.subarray(start, end))
        if (size <= recordLimit) take(held.length === 1 ? (held[0] ?? chunk) : Buffer.concat(held))
        else passedOver += 1
        held = []
        size = 0
        start = end + 1
      }
      // A copy, because the reader of the pipe may use its buffer again.
      if (start < chunk.length) hold(Buffer.from(chunk.subarray(start)))
    },
    passedOver: (): number => passedOver
  }
}

/** ripgrep gives text, or base64 where it is no UTF-8. */
const Text = Schema.Union(Schema.Struct({ text: Schema.String }), Schema.Struct({ bytes: Schema.String }))

const MatchRecord = Schema.parseJson(
  Schema.Struct({
    type: Schema.Literal("match"),
    data: Schema.Struct({
      path: Text,
      lines: Text,
      line_number: Schema.NullOr(Schema.Number),
      absolute_offset: Schema.Number,
      submatches: Schema.Array(Schema.Struct({ start: Schema.Number }))
    })
  })
)

const decodeMatch = Schema.decodeUnknownOption(MatchRecord)

/** The match of one line of `rg --json`; null for its other records, and for names that are no text. */
export const matchOf = (record: Buffer): LineMatch | null => {
  const decoded = decodeMatch(record.toString("utf8"))
  if (Option.isNone(decoded)) return null
  const { absolute_offset, line_number, lines, path, submatches } = decoded.value.data
  if (!("text" in path)) return null
  const start = submatches[0]?.start ?? 0
  const bytes = "text" in lines ? Buffer.from(lines.text, "utf8") : Buffer.from(lines.bytes, "base64")
  return {
    path: withoutDot(path.text),
    line: line_number ?? 0,
    text: shownLine(bytes.toString("utf8"), bytes.subarray(0, start).toString("utf8").length),
    offset: absolute_offset + start
  }
}

/** A name of `rg --files --null`. */
export const nameOf = (record: Buffer): string => withoutDot(record.toString("utf8"))

const withoutDot = (path: string): string => path.replace(/^\.\//, "")

/** The line without its end; of a long one the part around the match. */
const shownLine = (raw: string, at: number): string => {
  const line = raw.replace(/\r?\n$/, "")
  if (line.length <= shownLineCharacters) return line
  const room = shownLineCharacters - 2
  let from = Math.max(0, Math.min(at - room / 3, line.length - room)) | 0
  if (from > 0 && splitsPair(line, from)) from += 1
  let to = Math.min(line.length, from + room)
  if (to < line.length && splitsPair(line, to)) to -= 1
  return `${from > 0 ? "…" : ""}${line.slice(from, to)}${to < line.length ? "…" : ""}`
}
