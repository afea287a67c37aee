/**
 * Private keys in PEM (RFC 7468), OpenSSH's and PGP's armour, with line ends of any kind, also escaped ones.
 * A block that lacks its end is masked as far as it looks like one; one that lacks its beginning likewise.
 */
import type { Report } from "./Finding.ts"

const begin = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
const end = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g
/** Base64 lines, RFC 1421 headers, and line ends, escaped ones included. */
const body = /(?:[A-Za-z0-9+/=]|\s|\\+[nrt]|[A-Za-z-]+: [^\n\\]{0,200})*/y
const putty = /Private-Lines: \d+\r?\n([A-Za-z0-9+/=\s]+)/g

export const findPemBlocks = (text: string, report: Report): void => {
  let lastEnd = 0
  begin.lastIndex = 0
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const start = begin.lastIndex
    const stop = blockEnd(text, start)
    reportBody(text, start, stop, report)
    lastEnd = stop
    begin.lastIndex = stop
  }
  end.lastIndex = 0
  const first = end.exec(text)
  if (first !== null && text.lastIndexOf("-----BEGIN ", first.index) < 0) reportTail(text, first.index, report)
  for (const match of text.matchAll(putty)) {
    if (match.index >= lastEnd) reportBody(text, match.index, match.index + match[0].length, report)
  }
}

/** Up to the next end line, if no other block begins before it; else as far as the text looks like a body. */
const blockEnd = (text: string, start: number): number => {
  const next = text.indexOf("-----", start)
  if (next >= 0) {
    end.lastIndex = next
    const match = end.exec(text.slice(0, next + 80))
    if (match?.index === next) return next
  }
  body.lastIndex = start
  body.exec(text)
  return Math.max(start, body.lastIndex)
}

/** A key whose beginning was cut off: the base64 lines right before its end. */
const reportTail = (text: string, stop: number, report: Report): void => {
  let start = stop
  while (start > 0 && /[A-Za-z0-9+/=\s\\]/.test(text.charAt(start - 1))) start -= 1
  reportBody(text, start, stop, report)
}

/** Each line of a key is a secret of its own. */
const reportBody = (text: string, start: number, stop: number, report: Report): void => {
  if (stop <= start) return
  const lines = text.slice(start, stop).split(/(?:\s|\\+[nrt])+/)
  report({
    start,
    end: stop,
    spreads: false,
    within: lines.filter((line) => line.length >= shortestLine).slice(0, mostLines)
  })
}

const shortestLine = 16
const mostLines = 200
