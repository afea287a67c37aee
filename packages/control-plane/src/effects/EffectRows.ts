/** Intents and outcomes as rows of the table `effects`. */
import { boundedText } from "@gatehouse/core/BoundedText"
import type { EffectError } from "@gatehouse/core/EffectError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { CallId, PrincipalId, SessionId, TurnId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { type Status, statuses } from "@gatehouse/core/Status"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type { View } from "@gatehouse/core/View"
import { flag, integer, json, nullableInteger, nullableText, type Row, text, word } from "../Row.ts"
import { type Statement, statement } from "../Statement.ts"
import type { EffectIntent } from "./EffectIntent.ts"

/** A call as it is kept. */
export interface EffectRecord {
  /** Grows with every call of the store. */
  readonly position: number
  readonly owner: PrincipalId
  readonly call: CallId
  readonly session: SessionId
  readonly turn: TurnId
  readonly host: string
  readonly tool: string
  readonly provenance: string | null
  readonly coreRevision: string
  readonly capability: string | null
  readonly action: string | null
  readonly target: string | null
  readonly risk: string | null
  readonly readOnly: boolean
  readonly request: Json
  /** Null where the call ended before its adapter. */
  readonly begunAt: number | null
  /** Null while it is under way. */
  readonly settledAt: number | null
  readonly status: Status | null
  readonly executionStarted: boolean
  readonly mayHaveHappened: boolean
  /** Tag, stage, message, remedy and, where there is one, reason; null on success. */
  readonly error: Json
  readonly stages: Json
  /** What the durable view showed. */
  readonly view: Json
  /** Another host wrote the end, because this one had died. */
  readonly recovered: boolean
}

/** UTF-16 units of a view's text, and of its data as JSON, that are kept. */
export const keptViewLimit = 262_144

export const insertIntent = (intent: EffectIntent, host: string): Statement => {
  const { callId, turn, entry, action, target, readOnly, writeScope, request, at } = intent
  return insert(
    turn.principal.id,
    callId,
    turn.session,
    turn.id,
    host,
    entry.name,
    entry.provenance,
    entry.fingerprint,
    turn.coreRevision,
    entry.capability,
    action,
    target,
    entry.risk,
    readOnly ? 1 : 0,
    writeScope,
    request === undefined ? null : JSON.stringify(request),
    at
  )
}

export const upsertOutcome = (
  turn: TurnContext,
  result: EffectResult,
  view: View,
  at: number,
  host: string,
  request: Json | undefined
): Statement =>
  upsert(
    turn.principal.id,
    result.callId,
    turn.session,
    turn.id,
    host,
    result.tool,
    result.provenance,
    result.catalog,
    turn.coreRevision,
    at,
    result.status,
    result.executionStarted ? 1 : 0,
    result.mayHaveHappened ? 1 : 0,
    JSON.stringify(errorJson(result.error)),
    JSON.stringify(result.stages),
    viewText(view),
    request === undefined ? null : JSON.stringify(request)
  )

export const selectCall = (scope: PrincipalScope, call: CallId): Statement =>
  scope.kind === "operator" ? callOfAny(call) : callOfOwner(scope.id, call)

export const selectRecent = (scope: PrincipalScope, before: number, limit: number): Statement =>
  scope.kind === "operator" ? recentOfAll(before, limit) : recentOfOwner(scope.id, before, limit)

const errorJson = (error: EffectError | null): Json =>
  error === null
    ? null
    : {
        tag: error._tag,
        stage: error.stage,
        message: error.message,
        remedy: error.remedy,
        ...("reason" in error ? { reason: error.reason } : {})
      }

/** A view is bounded where it is made; what is still too long here is cut, and says so. */
const viewText = (view: View): string => {
  const text = boundedText(view.text, keptViewLimit)
  if (view.data === undefined) return JSON.stringify({ text })
  const data = JSON.stringify(view.data)
  return data.length <= keptViewLimit
    ? `{"text":${JSON.stringify(text)},"data":${data}}`
    : JSON.stringify({ text, omitted: `data of ${data.length} characters` })
}

export const toRecord = (row: Row): EffectRecord => ({
  position: integer(row, "position"),
  owner: PrincipalId(text(row, "owner")),
  call: CallId(text(row, "call")),
  session: SessionId(text(row, "session")),
  turn: TurnId(text(row, "turn")),
  host: text(row, "host"),
  tool: text(row, "tool"),
  provenance: nullableText(row, "provenance"),
  coreRevision: text(row, "core_revision"),
  capability: nullableText(row, "capability"),
  action: nullableText(row, "action"),
  target: nullableText(row, "target"),
  risk: nullableText(row, "risk"),
  readOnly: flag(row, "read_only"),
  request: nullableJson(row, "request"),
  begunAt: nullableInteger(row, "begun_at"),
  settledAt: nullableInteger(row, "settled_at"),
  status: row["status"] === null ? null : word(row, "status", statuses),
  executionStarted: flag(row, "execution_started"),
  mayHaveHappened: flag(row, "may_have_happened"),
  error: nullableJson(row, "error"),
  stages: nullableJson(row, "stages"),
  view: nullableJson(row, "view"),
  recovered: flag(row, "recovered")
})

const nullableJson = (row: Row, column: string): Json => (row[column] === null ? null : json(row, column))

const insert = statement(
  `INSERT INTO effects (
     owner, call, session, turn, host, tool, provenance, entry, core_revision, capability, action, target, risk,
     read_only, write_scope, request, begun_at, execution_started, may_have_happened, recovered
   ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, 0)
   ON CONFLICT DO NOTHING RETURNING call`
)

const upsert = statement(
  `INSERT INTO effects (
     owner, call, session, turn, host, tool, provenance, catalog, core_revision, settled_at, status,
     execution_started, may_have_happened, error, stages, view, request, read_only, recovered
   ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0)
   ON CONFLICT (owner, call) DO UPDATE SET
     catalog = excluded.catalog, settled_at = excluded.settled_at, status = excluded.status,
     execution_started = excluded.execution_started, may_have_happened = excluded.may_have_happened,
     error = excluded.error, stages = excluded.stages, view = excluded.view, recovered = 0
   WHERE effects.settled_at IS NULL OR (effects.recovered = 1 AND effects.host = excluded.host)`
)

export const effectColumns = `position, owner, call, session, turn, host, tool, provenance, core_revision, capability, action, target,
  risk, read_only, request, begun_at, settled_at, status, execution_started, may_have_happened, error, stages, view,
  recovered`
const callOfOwner = statement(`SELECT ${effectColumns} FROM effects WHERE owner = ? AND call = ?`)
const callOfAny = statement(
  `SELECT ${effectColumns} FROM effects WHERE owner IN (SELECT id FROM principals) AND call = ?`
)
const recentOfOwner = statement(
  `SELECT ${effectColumns} FROM effects WHERE owner = ? AND position < ? ORDER BY position DESC LIMIT ?`
)
const recentOfAll = statement(`SELECT ${effectColumns} FROM effects WHERE position < ? ORDER BY position DESC LIMIT ?`)
export const selectOpen = statement(
  `SELECT ${effectColumns} FROM effects WHERE settled_at IS NULL ORDER BY position LIMIT ?`
)
