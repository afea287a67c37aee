/** Columns of secrets in tables with a head line: CSV, TSV, Markdown, and columns between runs of blanks. */
import type { Report } from "./Finding.ts"
import type { Names } from "./Names.ts"
import { isPlaceholder, isPlainWord, looksRandom } from "./ValueLooks.ts"

const mostColumns = 64
const dividers: ReadonlyArray<string | RegExp> = [",", ";", "\t", "|", / {2,}/]

export const findInTables = (text: string, names: Names, report: Report): void => {
  const headEnd = text.indexOf("\n")
  const head = text.slice(0, headEnd < 0 ? 0 : headEnd)
  if (head.length === 0 || head.length > longestHead) return
  for (const divider of dividers) {
    const titles = cells(head, 0, divider)
    if (titles.length < 2 || titles.length > mostColumns || !titles.every((title) => isTitle(title.text))) continue
    const secret = titles.flatMap((title, index) => (names.sensitivity(title.text) === "secret" ? [index] : []))
    if (secret.length > 0) findInRows(text, headEnd + 1, divider, titles.length, secret, report)
  }
}

const longestHead = 2_000

interface Cell {
  readonly start: number
  readonly text: string
}

const isTitle = (title: string): boolean => /^(?:[A-Za-z][\w .()-]{0,40}|-{0,9})$/.test(title)

const findInRows = (
  text: string,
  from: number,
  divider: string | RegExp,
  columns: number,
  secret: ReadonlyArray<number>,
  report: Report
): void => {
  for (let at = from; at < text.length; ) {
    const found = text.indexOf("\n", at)
    const end = found < 0 ? text.length : found
    const row = cells(text.slice(at, end), at, divider)
    if (row.length === columns) {
      for (const index of secret) {
        const cell = row[index]
        if (cell === undefined || cell.text === "" || isPlaceholder(cell.text) || isPlainWord(cell.text)) continue
        report({ start: cell.start, end: cell.start + cell.text.length, spreads: looksRandom(cell.text) })
      }
    }
    at = end + 1
  }
}

/** The cells of a line without blanks and quotes around them; their places are those of the text. */
const cells = (line: string, start: number, divider: string | RegExp): ReadonlyArray<Cell> => {
  let at = 0
  return line.split(divider, mostColumns + 1).map((cell) => {
    const place = line.indexOf(cell, at)
    at = place + cell.length
    const text = cell.trim().replace(/^(["'])(.*)\1$/, "$2")
    return { start: start + place + cell.indexOf(text), text }
  })
}
