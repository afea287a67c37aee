/** Statements as values: a constant text with `?` for each parameter, and its parameters. */

export type SqlValue = null | number | string

export interface Statement {
  /** A constant: it is prepared once and kept. Values never become part of it. */
  readonly text: string
  readonly values: ReadonlyArray<SqlValue>
}

/**
 * A statement that waits for its values.
 *
 * @example
 * const selectTitle = statement("SELECT title FROM sessions WHERE owner = ? AND id = ?")
 * store.read(selectTitle(owner, id), (row) => text(row, "title"))
 */
export const statement =
  (sql: string) =>
  (...values: ReadonlyArray<SqlValue>): Statement => ({ text: sql, values })
