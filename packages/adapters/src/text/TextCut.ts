/** Cutting text that nobody has redacted yet. */
import { splitsPair } from "@gatehouse/core/BoundedText"

/** Characters before the limit in which a better place is looked for. */
const searched = 2_000

/**
 * The first `limit` characters of `text` or somewhat fewer: the cut falls between lines, else between words, so that it
 * does not halve a secret that would be known as a whole; a block of a private key is left for the next part as one.
 * Where there is no such place near the limit, it falls at the limit, never in the middle of a character.
 */
export const cutText = (text: string, limit: number): string => {
  if (text.length <= limit) return text
  const block = openKeyBlock(text, limit)
  if (block > 0) return text.slice(0, block)
  const line = text.lastIndexOf("\n", limit - 1) + 1
  if (line > 0 && line >= limit - searched) return text.slice(0, line)
  const word = Math.max(text.lastIndexOf(" ", limit - 1), text.lastIndexOf("\t", limit - 1)) + 1
  if (word > 0 && word >= limit - searched) return text.slice(0, word)
  return text.slice(0, limit > 1 && splitsPair(text, limit) ? limit - 1 : limit)
}

/** Where a key block (RFC 7468) begins that is still open at `limit`; 0 where none is. */
const openKeyBlock = (text: string, limit: number): number => {
  const begin = text.lastIndexOf("-----BEGIN ", limit)
  if (begin <= 0) return 0
  const end = text.indexOf("-----END ", begin)
  const after = end === -1 ? -1 : text.indexOf("\n", end)
  return after === -1 || after >= limit ? begin : 0
}
