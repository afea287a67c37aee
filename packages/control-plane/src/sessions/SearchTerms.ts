/** What a person types, as a query of SQLite's FTS5 (https://www.sqlite.org/fts5.html, 3). Pure. */

import { createHash } from "node:crypto"
import type { PrincipalId, SessionId } from "@gatehouse/core/Identifiers"

/** Words of one search at most; more say nothing that these do not. */
export const searchWordLimit = 32

/** Characters of one word at most. */
export const searchCharacterLimit = 100

/** The term that every message of an owner carries. Hashed, so that no id can be mistaken for a query or a part of one. */
export const ownerTerm = (owner: PrincipalId): string => `o${digest([owner])}`

/** The term that every message of one session carries. */
export const sessionTerm = (owner: PrincipalId, session: SessionId): string => `s${digest([owner, session])}`

const digest = (parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)

/** The words of a search: at most {@link searchWordLimit}, those without a letter or digit left out. */
export const toWords = (text: string): ReadonlyArray<string> =>
  text
    .split(/[\s\0]+/u)
    .filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word))
    .slice(0, searchWordLimit)

/**
 * A query for messages that hold every one of `words`, and carry `scope` where one is given. Operators of FTS5 are words
 * like all others; a word that ends in `*` is a beginning.
 *
 * @example
 * toMatch(null, ["gate", "house*"]) // 'text : ("gate" AND "house"*)'
 */
export const toMatch = (scope: string | null, words: ReadonlyArray<string>): string => {
  const query = `text : (${words.map(toPhrase).join(" AND ")})`
  return scope === null ? query : `scope : ${scope} AND ${query}`
}

const toPhrase = (word: string): string => {
  const phrase = [...word.replaceAll('"', " ")].slice(0, searchCharacterLimit).join("").trim()
  return phrase.endsWith("*") ? `"${phrase.slice(0, -1)}"*` : `"${phrase}"`
}
