/** A part of a text file, decoded while it is read: whatever the size, only the part is kept. */
import type { FileHandle } from "node:fs/promises"
import { TextDecoder } from "node:util"
import { splitsPair } from "@gatehouse/core/BoundedText"

export interface TextSlice {
  readonly text: string
  /** UTF-16 units of the whole file. */
  readonly totalCharacters: number
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be"
  /** Bytes that are no text in this encoding were replaced. */
  readonly damaged: boolean
}

const chunkBytes = 64 * 1024
/** Bytes at the beginning in which a null byte says "no text", as Git has it. */
const probeBytes = 8000

/** Reads `length` UTF-16 units from `offset` on; never half of a pair. Null where the file holds no text. */
export const readSlice = async (
  file: FileHandle,
  offset: number,
  length: number,
  signal: AbortSignal
): Promise<TextSlice | null> => {
  const chunk = Buffer.alloc(chunkBytes)
  let position = 0
  let encoding: TextSlice["encoding"] = "utf-8"
  let decoder: TextDecoder | null = null
  let total = 0
  let kept = ""
  let damaged = false
  const take = (text: string): void => {
    damaged ||= text.includes("\ufffd")
    const from = Math.max(0, offset - total)
    // One more than asked for shows whether the end would halve a pair.
    if (from < text.length && kept.length <= length) kept += text.slice(from, from + length + 1 - kept.length)
    total += text.length
  }
  for (;;) {
    signal.throwIfAborted()
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position)
    const bytes = chunk.subarray(0, bytesRead)
    if (decoder === null) {
      encoding = encodingOf(bytes)
      if (encoding === "utf-8" && bytes.subarray(0, probeBytes).includes(0)) return null
      decoder = new TextDecoder(encoding)
    }
    if (bytesRead === 0) break
    take(decoder.decode(bytes, { stream: true }))
    position += bytesRead
  }
  take(decoder.decode())
  const end = Math.min(kept.length, length)
  const whole = end < kept.length && end > 1 && splitsPair(kept, end) ? end - 1 : end
  return { text: kept.slice(0, whole), totalCharacters: total, encoding, damaged }
}

const encodingOf = (bytes: Uint8Array): TextSlice["encoding"] => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8"
}
