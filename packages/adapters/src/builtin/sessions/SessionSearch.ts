/**
 * `session_search`: earlier messages, after the capability `session.read` and an approval of its own; before that
 * nothing of any history is read. A user's turn sees the session it is bound to, an operator's all normal sessions.
 */
import type { FoundMessage, Message, SessionRecord } from "@gatehouse/control-plane/sessions/SessionRows"
import { searchDefault, searchMost } from "@gatehouse/control-plane/sessions/Sessions"
import { type AdapterOutput, textOutput } from "@gatehouse/core/AdapterOutcome"
import { boundedText } from "@gatehouse/core/BoundedText"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { SessionId } from "@gatehouse/core/Identifiers"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { builtinEntry } from "../BuiltinTool.ts"
import { storeRefusal } from "../ControlTool.ts"
import { HistoryAccess } from "./HistoryAccess.ts"

/** The capability; a core cannot name another one for this tool. */
export const sessionReadCapability = "session.read"

/** Characters of one message in an answer. */
const messageCharacters = 2_000

const Arguments = Schema.Struct({
  query: Schema.optional(
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(1_000)).annotations({
      description: "Words that a message must hold; a word that ends in * is a beginning."
    })
  ),
  session_id: Schema.optional(
    Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200)).annotations({
      description: "A session: without a query, its messages. Without either, the sessions that can be read are listed."
    })
  ),
  after: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(0, Number.MAX_SAFE_INTEGER)).annotations({
      description: "With a session and no query: only messages behind this number."
    }),
    { default: () => 0 }
  ),
  limit: Schema.optionalWith(
    Schema.Number.pipe(Schema.int(), Schema.between(1, searchMost)).annotations({
      description: `Results; ${searchDefault} by default, ${searchMost} at most.`
    }),
    { default: () => searchDefault }
  )
})
type Arguments = typeof Arguments.Type

/** What is read: decided before anybody is asked. */
type Reading =
  | { readonly what: "browse"; readonly limit: number }
  | { readonly what: "messages"; readonly session: SessionId; readonly after: number; readonly limit: number }
  | { readonly what: "search"; readonly session: SessionId | null; readonly text: string; readonly limit: number }

export const sessionSearchEntry: Effect.Effect<SourceEntry, never, HistoryAccess> = Effect.map(
  HistoryAccess,
  (history) => ({
    ...builtinEntry<Arguments, typeof Arguments.Encoded, Reading>({
      name: "session_search",
      description: "Lists sessions, reads the messages of one, or finds messages by their words; newest first.",
      arguments: Arguments,
      capability: sessionReadCapability,
      toolset: "coding",
      risk: "medium",
      policy: "prompt",
      readOnly: true,
      plan: (args, turn) => {
        const prepared = readingOf(args, turn)
        const { query = null, session_id = null } = args
        return {
          action: prepared.what === "search" ? "search" : "read",
          target: reachOf(turn),
          risk: "medium",
          policy: "prompt",
          because: [{ rule: "reads what was said in earlier turns" }],
          readOnly: true,
          preview: { query, session_id, limit: args.limit },
          subject: { kind: "other" },
          approvalShape: { reach: turn.principal.kind },
          sessionCacheable: true,
          secrets: [],
          writeScope: null,
          timeoutMillis: null,
          prepared
        }
      },
      run: ({ call: { turn }, prepared }) =>
        Effect.mapBoth(read(history, prepared, turn), {
          onFailure: storeRefusal,
          onSuccess: (output) => ({ status: "succeeded" as const, output })
        })
    }),
    capabilityFixed: true
  })
)

const isOperator = ({ principal }: TurnContext): boolean => principal.kind === "operator"

const reachOf = (turn: TurnContext): string =>
  isOperator(turn) ? "messages of every session of this host" : "messages of this session"

/** A user's search is bound to the turn's session, whatever session it names. */
const readingOf = ({ after, limit, query, session_id }: Arguments, turn: TurnContext): Reading => {
  const named = session_id === undefined ? null : SessionId(session_id)
  if (query !== undefined) {
    return { what: "search", session: named ?? (isOperator(turn) ? null : turn.session), text: query, limit }
  }
  return named === null ? { what: "browse", limit } : { what: "messages", session: named, after, limit }
}

const read = (history: typeof HistoryAccess.Service, reading: Reading, turn: TurnContext) => {
  const { principal, session } = turn
  // Another session of the same owner is as far away as one that does not exist.
  const isInReach = (id: SessionId | null): boolean => isOperator(turn) || id === session
  switch (reading.what) {
    case "browse":
      return Effect.map(
        isOperator(turn)
          ? history.list(principal, reading.limit)
          : Effect.map(history.get(principal, session), (own) => (own === null ? [] : [own])),
        sessionsOutput
      )
    case "messages":
      return Effect.map(
        isInReach(reading.session)
          ? history.messages(principal, reading.session, reading.after, reading.limit)
          : Effect.succeed([]),
        messagesOutput
      )
    case "search":
      return Effect.map(
        isInReach(reading.session) ? history.search(principal, reading) : Effect.succeed([]),
        foundOutput
      )
  }
}

const time = (millis: number): string => new Date(millis).toISOString()

const sessionsOutput = (sessions: ReadonlyArray<SessionRecord>): AdapterOutput =>
  textOutput(
    sessions.length === 0
      ? "no sessions"
      : sessions.map(({ id, title, updatedAt }) => `${id} ${time(updatedAt)} ${title}`).join("\n"),
    {
      sessions: sessions.map(({ createdAt, endedAt, id, title, updatedAt }) => ({
        session_id: id,
        title,
        created_at: createdAt,
        updated_at: updatedAt,
        ended_at: endedAt
      }))
    }
  )

const messagesOutput = (messages: ReadonlyArray<Message>): AdapterOutput => {
  const shown = messages.map(({ at, role, sequence, text }) => ({
    sequence,
    role,
    at,
    text: boundedText(text, messageCharacters)
  }))
  return textOutput(
    shown.length === 0
      ? "no messages"
      : shown.map(({ role, sequence, text }) => `${sequence} ${role}: ${text}`).join("\n"),
    { messages: shown }
  )
}

const foundOutput = (found: ReadonlyArray<FoundMessage>): AdapterOutput =>
  textOutput(
    found.length === 0
      ? "no message fits"
      : found.map(({ role, sequence, session, snippet }) => `${session} ${sequence} ${role}: ${snippet}`).join("\n"),
    {
      found: found.map(({ at, role, sequence, session, snippet, title }) => ({
        session_id: session,
        title,
        sequence,
        role,
        at,
        snippet
      }))
    }
  )
