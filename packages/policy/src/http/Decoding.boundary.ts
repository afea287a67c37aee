/** Undoes `content-encoding` while a body comes in. What comes out is counted, so that a bomb ends as `size`. */

import type { Transform } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib"
import type { BodyQueue } from "./BodyQueue.ts"
import { ExchangeFailure } from "./ExchangeFailure.ts"
import { encodingLimit } from "./HttpLimits.ts"

/** Where the pieces of a body go on their way from the socket. */
export interface BodySink {
  /** Whether the sender may go on. */
  readonly write: (piece: Uint8Array) => boolean
  readonly end: () => void
  readonly stop: () => void
  /** The reader has room again. */
  readonly resume: () => void
}

export interface SinkOptions {
  readonly queue: BodyQueue
  /** The sender may go on after `write` said no. */
  readonly onRoom: () => void
  readonly onFailure: (failure: ExchangeFailure) => void
}

/** The names in a `content-encoding`, outermost last; null where one is unknown or there are too many. */
export const readEncodings = (header: string | undefined): ReadonlyArray<Encoding> | null => {
  const names = (header ?? "").split(",").map((name) => name.trim().toLowerCase())
  const known = names.filter((name) => name !== "" && name !== "identity")
  return known.length <= encodingLimit && known.every(isEncoding) ? known : null
}

export type Encoding = "gzip" | "x-gzip" | "deflate" | "br"

/** A sink that fills `queue` with the decoded body. */
export const makeSink = (encodings: ReadonlyArray<Encoding>, options: SinkOptions): BodySink =>
  encodings.length === 0 ? plainSink(options.queue, options) : decodingSink(encodings, options)

const isEncoding = (name: string): name is Encoding => ["gzip", "x-gzip", "deflate", "br"].includes(name)

const plainSink = (queue: BodyQueue, { onRoom }: SinkOptions): BodySink => ({
  write: (piece) => queue.push(piece),
  end: () => queue.end(),
  stop: () => {},
  resume: onRoom
})

const decodingSink = (encodings: ReadonlyArray<Encoding>, { onFailure, onRoom, queue }: SinkOptions): BodySink => {
  let stages: ReadonlyArray<Transform> = []

  const build = (firstByte: number): ReadonlyArray<Transform> => {
    const made = encodings.toReversed().map((name, index) => decoder(name, index === 0 ? firstByte : 0x78))
    made.forEach((stage, index) => {
      stage.once("error", () =>
        onFailure(
          new ExchangeFailure("protocol", "sends a body that its content-encoding does not fit", { connected: true })
        )
      )
      const next = made[index + 1]
      if (next !== undefined) stage.pipe(next)
    })
    made[0]?.on("drain", onRoom)
    const last = made.at(-1)
    last?.on("data", (piece: Uint8Array) => {
      if (!queue.push(piece)) last.pause()
    })
    last?.once("end", () => queue.end())
    return made
  }

  return {
    write: (piece) => {
      if (stages.length === 0 && piece.byteLength > 0) stages = build(piece[0] ?? 0)
      return stages[0]?.write(piece) ?? true
    },
    end: () => (stages.length === 0 ? queue.end() : void stages[0]?.end()),
    stop: () => {
      for (const stage of stages) stage.destroy()
    },
    resume: () => void stages.at(-1)?.resume()
  }
}

/** `deflate` means zlib (RFC 9110, section 8.4.1.2), and some servers send it without its wrapper. */
const decoder = (name: Encoding, firstByte: number): Transform => {
  switch (name) {
    case "br":
      return createBrotliDecompress()
    case "deflate":
      return (firstByte & 0x0f) === 8 ? createInflate() : createInflateRaw()
    default:
      return createGunzip()
  }
}
