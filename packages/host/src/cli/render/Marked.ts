/** A text with marks below the words that something is said about. Pure. */

/** A place in a text, in UTF-16 positions, and what is said about it. */
export interface Mark {
  readonly start: number
  readonly end: number
  readonly note: string
}

interface Style {
  readonly colours: boolean
  readonly columns: number
}

/**
 * Each line that a mark begins in, with the marks of the line below it. Characters that cannot be seen are written as
 * `\u{…}`; a line that is too wide is shown around each of its marks.
 *
 * @example
 * renderMarked("npm test", [{ start: 0, end: 8, note: "runs project code" }], { colours: false, columns: 80 })
 * // npm test
 * // ^^^^^^^^ runs project code
 */
export const renderMarked = (text: string, marks: ReadonlyArray<Mark>, style: Style, indent = ""): string => {
  const room = Math.max(leastColumns, style.columns - indent.length)
  const lines = linesOf(text).flatMap((line) => {
    const own = marks.filter(({ start }) => start >= line.start && start <= line.end).sort((a, b) => a.start - b.start)
    if (own.length === 0) return []
    if (widthOf(line.cells) <= room) {
      return [join(line.cells), ...own.map((mark) => under(line.cells, mark, style))]
    }
    return own.flatMap((mark) => {
      const cells = around(line.cells, mark, room)
      return [join(cells), under(cells, mark, style)]
    })
  })
  return lines.map((line) => indent + line).join("\n")
}

/** What a check says about a place in some text. */
interface PlacedReason {
  readonly rule: string
  readonly text?: string
  readonly start?: number
  readonly end?: number
}

/** The reasons that are about words of `text`, as marks, and the others. */
export const marksIn = <Reason extends PlacedReason>(
  text: string,
  reasons: ReadonlyArray<Reason>
): { readonly marks: ReadonlyArray<Mark>; readonly others: ReadonlyArray<Reason> } => {
  const marks: Array<Mark> = []
  const others: Array<Reason> = []
  for (const reason of reasons) {
    const { end, rule, start, text: words } = reason
    if (start === undefined || end === undefined || words === undefined || !text.startsWith(words, start)) {
      others.push(reason)
    } else marks.push({ start, end, note: rule })
  }
  return { marks, others }
}

/** Columns of a line, however narrow the terminal says that it is. */
const leastColumns = 40

/** Columns that are shown in front of a mark where not everything can be. */
const columnsBefore = 16

/** One character as it is shown: where it stands in the text, and how many columns it takes. */
interface Cell {
  readonly at: number
  readonly shown: string
  readonly width: number
}

interface Line {
  readonly start: number
  readonly end: number
  readonly cells: ReadonlyArray<Cell>
}

const linesOf = (text: string): ReadonlyArray<Line> => {
  let start = 0
  return text.split("\n").map((line) => {
    const from = start
    start += line.length + 1
    let at = from
    const cells = [...line].map((character) => {
      const cell = cellOf(character, at)
      at += character.length
      return cell
    })
    return { start: from, end: from + line.length, cells }
  })
}

const cellOf = (character: string, at: number): Cell => {
  if (character === "\t") return { at, shown: " ", width: 1 }
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(character)) {
    const shown = `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
    return { at, shown, width: shown.length }
  }
  if (/\p{M}/u.test(character)) return { at, shown: character, width: 0 }
  return { at, shown: character, width: wide.test(character) ? 2 : 1 }
}

/** What terminals show in two columns: East Asian scripts, their full-width forms, and pictures. */
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u{3000}-\u{303e}\u{ff01}-\u{ff60}\u{ffe0}-\u{ffe6}]/u

const join = (cells: ReadonlyArray<Cell>): string => cells.map(({ shown }) => shown).join("")

const widthOf = (cells: ReadonlyArray<Cell>): number => cells.reduce((sum, { width }) => sum + width, 0)

/** At least one mark, also below what has no width or begins behind the line's last character. */
const under = (cells: ReadonlyArray<Cell>, { end, note, start }: Mark, { colours }: Style): string => {
  const before = widthOf(cells.filter(({ at }) => at < start))
  const marked = Math.max(1, widthOf(cells.filter(({ at }) => at >= start && at < Math.max(end, start + 1))))
  const carets = "^".repeat(marked)
  return `${" ".repeat(before)}${colours ? `\u001b[33m${carets}\u001b[0m` : carets} ${note}`
}

/** The part of a line around the beginning of a mark, with a sign where it was cut. */
const around = (cells: ReadonlyArray<Cell>, { start }: Mark, room: number): ReadonlyArray<Cell> => {
  const first = Math.max(
    0,
    cells.findIndex(({ at }) => at >= start)
  )
  let from = first
  let before = 0
  while (from > 0 && before < columnsBefore) before += cells[--from]?.width ?? 0
  let to = from
  let taken = 2
  while (to < cells.length && taken + (cells[to]?.width ?? 0) <= room) taken += cells[to++]?.width ?? 0
  const cut: Cell = { at: -1, shown: "…", width: 1 }
  return [
    ...(from > 0 ? [cut] : []),
    ...cells.slice(from, to),
    ...(to < cells.length ? [{ ...cut, at: Number.POSITIVE_INFINITY }] : [])
  ]
}
