/** Finds tokens by their shape: first the place of a prefix, then the rule's own pattern at that place. */
import type { Report } from "./Finding.ts"
import type { TokenShape } from "./TokenShape.ts"
import { tokenShapes } from "./TokenShapes.ts"

export const findTokens = (text: string, report: Report): void => {
  anchor.lastIndex = 0
  for (let match = anchor.exec(text); match !== null; match = anchor.exec(text)) {
    const end = tokenEnd(text, match.index, match[0])
    if (end > match.index) report({ start: match.index, end, spreads: true })
    anchor.lastIndex = Math.max(end, match.index + 1)
  }
  for (const { inner, pattern } of unanchored) {
    if (inner?.test(text) === false) continue
    for (const match of text.matchAll(pattern))
      report({ start: match.index, end: match.index + match[0].length, spreads: true })
  }
}

const byPrefix = new Map<string, Array<TokenShape>>()
for (const shape of tokenShapes) {
  for (const prefix of shape.prefixes) byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), shape])
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")

/** Longer prefixes first: a longer one also names the rules of those that begin it. */
const anchor = new RegExp(
  [...byPrefix.keys()]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|"),
  "g"
)

/** Rules without a prefix: each token of theirs holds a piece that few texts hold. */
const unanchored = tokenShapes
  .filter((shape) => shape.prefixes.length === 0)
  .map(({ inner, pattern }) => ({ inner, pattern: new RegExp(pattern.source, "g") }))

/** Where the token that begins at `start` ends; `start` where there is none. */
const tokenEnd = (text: string, start: number, prefix: string): number => {
  if (!beginsWord(text, start)) return start
  for (let length = prefix.length; length > 0; length--) {
    for (const shape of byPrefix.get(prefix.slice(0, length)) ?? []) {
      shape.pattern.lastIndex = start
      if (shape.pattern.test(text)) return shape.pattern.lastIndex
    }
  }
  return start
}

/** A token does not begin inside a word; what an escape sequence ends with is no word. */
const beginsWord = (text: string, start: number): boolean => {
  const before = text.charCodeAt(start - 1)
  if (!isWordCharacter(before)) return true
  return /(?:\\[nrtbfv0]|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|%[0-9A-Fa-f]{2}|\u001b\[[0-9;]{0,12}m|\[[0-9;]{1,12}m)$/.test(
    text.slice(Math.max(0, start - 16), start)
  )
}

const isWordCharacter = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f
