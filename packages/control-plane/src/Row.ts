/**
 * Columns of rows, judged when they are read: a column of another type than the schema gave it is damage, and the read
 * ends as a `corrupt` {@link StoreError}.
 */
import type { Json } from "@gatehouse/core/Json"

export type Row = Readonly<Record<string, unknown>>

/** A column that is not what the schema says. Caught where rows are read, nowhere else. */
export class RowFault extends Error {
  readonly column: string
  constructor(column: string, expected: string) {
    super(`column ${column} is not ${expected}`)
    this.column = column
  }
}

export const text = (row: Row, column: string): string => {
  const value = row[column]
  if (typeof value !== "string") throw new RowFault(column, "text")
  return value
}

export const integer = (row: Row, column: string): number => {
  const value = row[column]
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new RowFault(column, "an integer")
  return value
}

export const nullableText = (row: Row, column: string): string | null =>
  row[column] === null ? null : text(row, column)

export const nullableInteger = (row: Row, column: string): number | null =>
  row[column] === null ? null : integer(row, column)

/** Stored as 0 or 1. */
export const flag = (row: Row, column: string): boolean => integer(row, column) !== 0

export const json = (row: Row, column: string): Json => {
  const value = text(row, column)
  try {
    // JSON.parse answers `any`; whatever it returns is JSON.
    return JSON.parse(value) as Json
  } catch {
    throw new RowFault(column, "JSON")
  }
}

/** One of the given words. */
export const word = <Word extends string>(row: Row, column: string, words: ReadonlyArray<Word>): Word => {
  const all: ReadonlyArray<string> = words
  const found = words[all.indexOf(text(row, column))]
  if (found === undefined) throw new RowFault(column, `one of ${words.join(", ")}`)
  return found
}
