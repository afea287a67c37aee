/**
 * Conversations and their messages. The owner is part of every key and every query: a session of somebody else and one
 * that does not exist are the same answer. An owner never changes.
 */
import { boundedText } from "@gatehouse/core/BoundedText"
import { Entropy, makeIdentifier, type PrincipalId, SessionId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Durability } from "../Change.ts"
import { decodeRows } from "../internal/StoreFaults.ts"
import { Principals, ScopeRefused } from "../principals/Principals.ts"
import { integer } from "../Row.ts"
import { Store } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"
import { ownerTerm, sessionTerm, toMatch, toWords } from "./SearchTerms.ts"
import {
  adoptSession,
  deleteSession,
  endSession,
  type FoundMessage,
  insertMessage,
  insertSession,
  type Message,
  type MessageText,
  messageTextLimit,
  retermMessages,
  type SessionRecord,
  searchAll,
  searchSession,
  selectLegacy,
  selectMessages,
  selectSearched,
  selectSession,
  selectSessions,
  titleLimit,
  toFound,
  toMessage,
  toSearched,
  toSession,
  touchSession
} from "./SessionRows.ts"

export interface SessionStart {
  readonly title: string
  /** Folder that holds `agent.yaml`; null where there is none. */
  readonly coreRoot: string | null
}

export interface MessageSearch {
  /** Null looks in all sessions: for operators only. */
  readonly session: SessionId | null
  readonly text: string
  /** 10 by default, 50 at most. */
  readonly limit?: number
}

/** Rows of one answer at most. */
export const sessionPage = 200

export const searchDefault = 10
export const searchMost = 50

/**
 * Share of all messages from which on the index is not asked for the session's own term: walking its long list would
 * take longer than looking at the few messages of other sessions.
 */
const mostMessages = 0.25

export class Sessions extends Context.Tag("@gatehouse/control-plane/Sessions")<
  Sessions,
  {
    readonly create: (
      scope: PrincipalScope,
      start: SessionStart
    ) => Effect.Effect<SessionRecord, ScopeRefused | StoreError>
    /** Null where there is none of this scope. */
    readonly get: (
      scope: PrincipalScope,
      id: SessionId
    ) => Effect.Effect<SessionRecord | null, ScopeRefused | StoreError>
    /** Most recently used first: own ones, and all normal ones for an operator. */
    readonly list: (
      scope: PrincipalScope,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<SessionRecord>, ScopeRefused | StoreError>
    /** False where there is no open session of this scope. */
    readonly end: (scope: PrincipalScope, id: SessionId) => Effect.Effect<boolean, ScopeRefused | StoreError>
    /** Removes the session and its messages; its events and calls stay. */
    readonly remove: (scope: PrincipalScope, id: SessionId) => Effect.Effect<boolean, ScopeRefused | StoreError>
    /**
     * Appends, on the disk when it returns unless told otherwise; the sequence number of the last one, or null where
     * there is no such session.
     */
    readonly append: (
      scope: PrincipalScope,
      id: SessionId,
      messages: ReadonlyArray<MessageText>,
      durability?: Durability
    ) => Effect.Effect<number | null, ScopeRefused | StoreError>
    /** In order, behind the sequence number `after`. Nothing where there is no such session. */
    readonly messages: (
      scope: PrincipalScope,
      id: SessionId,
      after: number,
      limit?: number
    ) => Effect.Effect<ReadonlyArray<Message>, ScopeRefused | StoreError>
    /** Newest first. A user names the session it is bound to; an operator may look through all normal sessions. */
    readonly search: (
      scope: PrincipalScope,
      search: MessageSearch
    ) => Effect.Effect<ReadonlyArray<FoundMessage>, ScopeRefused | StoreError>
    /** Sessions whose owner is not known: nothing else shows them. Operators only. */
    readonly legacy: (scope: PrincipalScope) => Effect.Effect<ReadonlyArray<SessionRecord>, ScopeRefused | StoreError>
    /** Gives such a session its owner, once, and says so in the event log. Operators only. */
    readonly adopt: (
      scope: PrincipalScope,
      id: SessionId,
      owner: PrincipalId
    ) => Effect.Effect<boolean, ScopeRefused | StoreError>
  }
>() {
  static readonly layer: Layer.Layer<Sessions, never, Store | Principals> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const store = yield* Store
      const { onBehalfOf, require, requireOperator } = yield* Principals
      const entropy = yield* Entropy
      return {
        create: Effect.fn("Sessions.create")(function* (scope: PrincipalScope, { title, coreRoot }: SessionStart) {
          yield* require(scope)
          const now = yield* Clock.currentTimeMillis
          const id = SessionId(makeIdentifier("session", entropy))
          const bounded = boundedText(title, titleLimit)
          yield* store.write({ statements: [insertSession(scope.id, id, bounded, coreRoot, now, now)] })
          return {
            owner: scope.id,
            id,
            title: bounded,
            coreRoot,
            createdAt: now,
            updatedAt: now,
            endedAt: null,
            kind: "normal"
          }
        }),
        get: (scope, id) => onBehalfOf(scope, () => store.first(selectSession(scope, id), toSession)),
        list: (scope, limit = sessionPage) =>
          onBehalfOf(scope, () => store.read(selectSessions(scope, page(limit, sessionPage)), toSession)),
        end: Effect.fn("Sessions.end")(function* (scope: PrincipalScope, id: SessionId) {
          yield* require(scope)
          const now = yield* Clock.currentTimeMillis
          const [rows] = yield* store.write({ statements: [endSession(now, scope.id, id)] })
          return rows?.length === 1
        }),
        remove: Effect.fn("Sessions.remove")(function* (scope: PrincipalScope, id: SessionId) {
          yield* require(scope)
          const [rows] = yield* store.write({ statements: [deleteSession(scope.id, id)] })
          return rows?.length === 1
        }),
        append: Effect.fn("Sessions.append")(function* (
          scope: PrincipalScope,
          id: SessionId,
          messages: ReadonlyArray<MessageText>,
          durability: Durability = "disk"
        ) {
          yield* require(scope)
          const now = yield* Clock.currentTimeMillis
          const terms = `${ownerTerm(scope.id)} ${sessionTerm(scope.id, id)}`
          const rows = yield* store.write(
            {
              statements: [
                touchSession(now, scope.id, id),
                ...messages.map(({ role, text, data }) =>
                  insertMessage(
                    scope.id,
                    id,
                    scope.id,
                    id,
                    role,
                    boundedText(text, messageTextLimit),
                    JSON.stringify(data ?? null),
                    terms,
                    now,
                    scope.id,
                    id
                  )
                )
              ]
            },
            durability
          )
          const [last] = yield* decodeRows(store.location, rows.at(-1), (row) => integer(row, "sequence"))
          return last ?? null
        }),
        messages: (scope, id, after, limit = sessionPage) =>
          onBehalfOf(scope, () => store.read(selectMessages(scope, id, after, page(limit, sessionPage)), toMessage)),
        search: Effect.fnUntraced(function* (scope: PrincipalScope, search: MessageSearch) {
          yield* require(scope)
          if (search.session === null && scope.kind !== "operator") return yield* wholeHistoryRefused
          const words = toWords(search.text)
          const [first] = words
          if (first === undefined) return []
          const most = page(search.limit ?? searchDefault, searchMost)
          const terms = (term: string | null) => ({
            match: toMatch(term, words),
            first: first.replace(/\*$/, "").toLowerCase()
          })
          if (search.session === null) return yield* store.read(searchAll(terms(null), most), toFound)
          const [found] = yield* store.read(selectSearched(scope, search.session), toSearched)
          if (found === undefined) return []
          const { session, share } = found
          const term = share > mostMessages ? null : sessionTerm(session.owner, session.id)
          return yield* store.read(searchSession(session, terms(term), most), toFound)
        }),
        legacy: (scope) => Effect.zipRight(requireOperator(scope), store.read(selectLegacy(sessionPage), toSession)),
        adopt: Effect.fn("Sessions.adopt")(function* (scope: PrincipalScope, id: SessionId, owner: PrincipalId) {
          yield* requireOperator(scope)
          const at = yield* Clock.currentTimeMillis
          const terms = `${ownerTerm(owner)} ${sessionTerm(owner, id)}`
          const data = { session: id, owner, by: scope.id }
          const [rows] = yield* store.write({
            statements: [adoptSession(owner, at, id), retermMessages(terms, owner, id)],
            events: [{ type: "session.adopted", session: id, turn: null, call: null, at, data }],
            eventsIf: 0
          })
          return rows?.length === 1
        })
      }
    })
  )
}

const page = (limit: number, most: number): number => Math.max(0, Math.min(Math.trunc(limit), most))

const wholeHistoryRefused = new ScopeRefused({
  message: "a user's search is limited to the session it is bound to",
  remedy: "name the session, or ask as the operator of this host"
})
