/** Sessions and messages as rows. */
import { PrincipalId, SessionId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { integer, json, nullableInteger, nullableText, type Row, text, word } from "../Row.ts"
import { type Statement, statement } from "../Statement.ts"

/** `legacy_local`: taken over from a time when owners were not kept; out of reach until it is repaired. */
export const sessionKinds = ["normal", "legacy_local"] as const

export interface SessionRecord {
  readonly owner: PrincipalId
  readonly id: SessionId
  readonly kind: (typeof sessionKinds)[number]
  readonly title: string
  readonly coreRoot: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly endedAt: number | null
}

/** What is said; redacted before it comes here. */
export interface MessageText {
  /** `user`, `assistant`, `tool`, `system`, or a word of the host. */
  readonly role: string
  readonly text: string
  readonly data?: Json
}

export interface Message {
  readonly session: SessionId
  /** Counts the messages of the session from 1. */
  readonly sequence: number
  readonly role: string
  readonly text: string
  readonly data: Json
  readonly at: number
}

/** A message that a search found, and the part of it that was meant. */
export interface FoundMessage {
  readonly session: SessionId
  readonly title: string
  readonly sequence: number
  readonly role: string
  /** {@link snippetLimit} characters at most, around the first word where it stands as it was typed. */
  readonly snippet: string
  readonly at: number
}

/** UTF-16 units. */
export const titleLimit = 200
export const messageTextLimit = 1_048_576

export const snippetLimit = 300

/** Characters of a snippet that stand before the word. */
const snippetLead = 80

export const toSession = (row: Row): SessionRecord => ({
  owner: PrincipalId(text(row, "owner")),
  id: SessionId(text(row, "id")),
  kind: word(row, "kind", sessionKinds),
  title: text(row, "title"),
  coreRoot: nullableText(row, "core_root"),
  createdAt: integer(row, "created_at"),
  updatedAt: integer(row, "updated_at"),
  endedAt: nullableInteger(row, "ended_at")
})

export const toMessage = (row: Row): Message => ({
  session: SessionId(text(row, "session")),
  sequence: integer(row, "sequence"),
  role: text(row, "role"),
  text: text(row, "text"),
  data: json(row, "data"),
  at: integer(row, "at")
})

export const toFound = (row: Row): FoundMessage => ({
  session: SessionId(text(row, "session")),
  title: text(row, "title"),
  sequence: integer(row, "sequence"),
  role: text(row, "role"),
  snippet: text(row, "snippet"),
  at: integer(row, "at")
})

export const selectSession = (scope: PrincipalScope, id: SessionId): Statement =>
  scope.kind === "operator" ? anySession(id) : ownSession(scope.id, id)

export const selectSessions = (scope: PrincipalScope, limit: number): Statement =>
  scope.kind === "operator" ? allSessions(limit) : ownSessions(scope.id, limit)

export const selectMessages = (scope: PrincipalScope, id: SessionId, after: number, limit: number): Statement =>
  scope.kind === "operator" ? anyMessages(id, after, limit) : ownMessages(scope.id, id, after, limit)

/** `match` may name the session already; the owner is compared all the same. */
export const searchSession = (session: SessionRecord, terms: Terms, limit: number): Statement =>
  sessionSearch(session.title, terms.first, terms.match, session.owner, session.id, limit)

export const searchAll = (terms: Terms, limit: number): Statement => allSearch(terms.first, terms.match, limit)

export interface Terms {
  /** A query of FTS5. */
  readonly match: string
  /** The first word, in lower case: what a snippet is cut around. */
  readonly first: string
}

export const insertSession = statement(
  `INSERT INTO sessions (owner, id, kind, title, core_root, created_at, updated_at) VALUES (?, ?, 'normal', ?, ?, ?, ?)`
)
export const touchSession = statement("UPDATE sessions SET updated_at = ? WHERE owner = ? AND id = ?")
export const endSession = statement(
  "UPDATE sessions SET ended_at = ? WHERE owner = ? AND id = ? AND ended_at IS NULL RETURNING id"
)
export const deleteSession = statement("DELETE FROM sessions WHERE owner = ? AND id = ? RETURNING id")
export const insertMessage = statement(
  `INSERT INTO messages (owner, session, sequence, role, text, data, scope, at)
   SELECT ?, ?, coalesce((SELECT max(sequence) FROM messages WHERE owner = ? AND session = ?), 0) + 1, ?, ?, ?, ?, ?
   FROM sessions WHERE owner = ? AND id = ?
   RETURNING sequence`
)

/** For operators: every owner, one after the other, each by the key; sessions of unknown owner stay out. */
const anyOwner = "owner IN (SELECT id FROM principals)"

const sessionColumns = "SELECT owner, id, kind, title, core_root, created_at, updated_at, ended_at FROM sessions"
const ownSession = statement(`${sessionColumns} WHERE owner = ? AND id = ? AND kind = 'normal'`)
const anySession = statement(`${sessionColumns} WHERE ${anyOwner} AND id = ? AND kind = 'normal'`)
const ownSessions = statement(`${sessionColumns} WHERE owner = ? AND kind = 'normal' ORDER BY updated_at DESC LIMIT ?`)
const allSessions = statement(`${sessionColumns} WHERE kind = 'normal' ORDER BY updated_at DESC LIMIT ?`)

const messageColumns = "SELECT session, sequence, role, text, data, at FROM messages"
const ownMessages = statement(
  `${messageColumns} WHERE owner = ? AND session = ? AND sequence > ? ORDER BY sequence LIMIT ?`
)
const anyMessages = statement(
  `${messageColumns} WHERE ${anyOwner} AND session = ? AND sequence > ? ORDER BY sequence LIMIT ?`
)

/** Parameters: the first word, in lower case. */
const snippet = `substr(m.text, max(1, instr(lower(m.text), ?) - ${snippetLead}), ${snippetLimit}) AS snippet`

// CROSS JOIN keeps the order of the tables (https://www.sqlite.org/lang_select.html, 2.2): the index is walked first.
const sessionSearch = statement(
  `SELECT m.session, ? AS title, m.sequence, m.role, m.at, ${snippet}
   FROM message_search CROSS JOIN messages m
   WHERE message_search MATCH ? AND m.position = message_search.rowid AND m.owner = ? AND m.session = ?
   ORDER BY message_search.rowid DESC LIMIT ?`
)
const allSearch = statement(
  `SELECT m.session, s.title, m.sequence, m.role, m.at, ${snippet}
   FROM message_search CROSS JOIN messages m CROSS JOIN sessions s
   WHERE message_search MATCH ? AND m.position = message_search.rowid
     AND s.owner = m.owner AND s.id = m.session AND s.kind = 'normal'
   ORDER BY message_search.rowid DESC LIMIT ?`
)

/** A session that is to be searched, and the share of all messages that is its own. */
export const selectSearched = (scope: PrincipalScope, id: SessionId): Statement =>
  scope.kind === "operator" ? anySearched(id) : ownSearched(scope.id, id)

export const toSearched = (row: Row): { readonly session: SessionRecord; readonly share: number } => ({
  session: toSession(row),
  share: integer(row, "own") / Math.max(1, integer(row, "total"))
})

const searchedColumns = `SELECT owner, id, kind, title, core_root, created_at, updated_at, ended_at,
  coalesce((SELECT max(sequence) FROM messages m WHERE m.owner = sessions.owner AND m.session = sessions.id), 0) AS own,
  coalesce((SELECT max(position) FROM messages), 0) AS total FROM sessions`
const ownSearched = statement(`${searchedColumns} WHERE owner = ? AND id = ? AND kind = 'normal'`)
const anySearched = statement(`${searchedColumns} WHERE ${anyOwner} AND id = ? AND kind = 'normal'`)

/** Sessions whose owner is not known. */
export const selectLegacy = statement(`${sessionColumns} WHERE kind = 'legacy_local' ORDER BY created_at LIMIT ?`)

/** The one way by which an owner is set after creation, and only where there was none; messages follow by their key. */
export const adoptSession = statement(
  "UPDATE sessions SET owner = ?, kind = 'normal', updated_at = ? WHERE kind = 'legacy_local' AND id = ? RETURNING id"
)
export const retermMessages = statement("UPDATE messages SET scope = ? WHERE owner = ? AND session = ?")
