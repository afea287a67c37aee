/**
 * Looks for ruin in a text that the grammar does not follow: too long, too deep, or broken. The text is cut at
 * everything that could separate commands, quotes disregarded, and each piece is looked at alone. This can only add
 * suspicion: what it misses asks all the same.
 */

/** Pieces that one search looks at; equal ones count once. */
const piecesLimit = 400
/** UTF-16 units of a piece. */
const pieceLimit = 512

/** Words without which no piece is worth a look: the programs of which ruin is known. */
const ruinous =
  /(?:^|[\s/"'\\])(?:rm|grm|dd|mkfs|mke2fs|mkswap|wipefs|blkdiscard|shred|chmod|chown|mv|rsync|find|kill|killall5|pkill|shutdown|reboot|halt|poweroff|init|telinit|systemctl|sudo|doas|tee|cp|truncate)(?:$|[\s.'"])|\/dev\//

/** The first piece that `isRuin`, with its place; null where there is none. */
export const ruinIn = (
  text: string,
  isRuin: (piece: string) => boolean
): { readonly start: number; readonly end: number } | null => {
  const bomb = forkBombIn(text)
  if (bomb !== null) return bomb
  const seen = new Set<string>()
  const separator = /[\n\r;&|(){}`]+/g
  let start = 0
  while (start < text.length && seen.size < piecesLimit) {
    separator.lastIndex = start
    const found = separator.exec(text)
    const end = found === null ? text.length : found.index
    const piece = text.slice(start, Math.min(end, start + pieceLimit)).trim()
    if (piece !== "" && ruinous.test(piece) && !seen.has(piece)) {
      seen.add(piece)
      if (candidates(piece).some(isRuin)) return { start, end }
    }
    start = found === null ? text.length : found.index + found[0].length
  }
  return null
}

/** The piece, and what is left of it without quotes that begin or end elsewhere and without words that lead in. */
const candidates = (piece: string): ReadonlyArray<string> => {
  const bare = piece.replace(/["'$]/g, " ").replace(/\\(.)/g, "$1").trim()
  const led = bare.replace(
    /^(?:(?:then|do|else|elif|if|while|until|time|!|in|exec|command|eval|sh -c|bash -c)\s+)+/,
    ""
  )
  return [...new Set([piece, bare, led, led.replace(/^.*?\s(?=(?:rm|dd|mkfs\S*|sudo)\s)/, "")])]
}

/** A function that pipes itself into itself, also where blanks are missing that the grammar wants. */
const forkBombIn = (text: string): { readonly start: number; readonly end: number } | null => {
  for (const { index, 0: head } of text.matchAll(/\(\s{0,8}\)\s{0,8}\{/g)) {
    const name = /[^\s(){}|&;]{1,32}(?=\s{0,8}$)/.exec(text.slice(Math.max(0, index - 40), index))?.[0]
    if (name === undefined) continue
    const body = text.slice(index + head.length, index + head.length + 120).replace(/\s+/g, "")
    if (body.startsWith(`${name}|${name}`) || body.startsWith(`${name}&${name}`))
      return { start: index - name.length, end: index + head.length }
  }
  return null
}
