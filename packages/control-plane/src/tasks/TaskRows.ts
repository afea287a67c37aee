/** Tasks and their logs as rows. */
import { boundedText } from "@gatehouse/core/BoundedText"
import { PrincipalId, SessionId, TaskId, TurnId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { integer, json, nullableInteger, nullableText, type Row, text, word } from "../Row.ts"
import { type Statement, statement } from "../Statement.ts"
import type { LogChunk, LogStream } from "./TaskLog.ts"

export const taskStatuses = ["running", "succeeded", "failed", "timed_out", "cancelled", "indeterminate"] as const
export type TaskStatus = (typeof taskStatuses)[number]
export type TaskEndStatus = Exclude<TaskStatus, "running">

/** `none` while it runs, `pending` until its end was delivered to somebody, `consumed` after. */
export const completions = ["none", "pending", "consumed"] as const
export type Completion = (typeof completions)[number]

/** Everything about a task: for its owner's operator views, never for a model. */
export interface TaskRecord {
  readonly owner: PrincipalId
  readonly id: TaskId
  readonly session: SessionId
  readonly turn: TurnId | null
  /** `terminal.exec`, `agent.spawn`, `evolver.run`, `schedule.fire`, or a word of the host. */
  readonly kind: string
  /** The tool that started it. */
  readonly tool: string
  readonly status: TaskStatus
  readonly summary: string
  /** Empty where it claims nothing. */
  readonly writeScope: string
  readonly metadata: Json
  readonly resultReference: string | null
  readonly returnCode: number | null
  readonly exitReason: string | null
  readonly completion: Completion
  /** The host that runs it, or ran it. */
  readonly host: string
  readonly fence: number
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly cancelRequestedAt: number | null
  readonly endedAt: number | null
}

/** All that a model sees of a task. */
export interface ModelTask {
  readonly task_id: string
  readonly kind: string
  readonly tool: string
  readonly status: TaskStatus
  /** {@link modelSummaryLimit} characters at most. */
  readonly summary: string
  readonly cancel_requested: boolean
  readonly created_at: number
  readonly ended_at: number | null
}

/** UTF-16 units. */
export const modelSummaryLimit = 1_200
export const keptSummaryLimit = 8_000
export const metadataLimit = 65_536
export const taskWordLimit = 200
export const writeScopeLimit = 4_096

export const toModelTask = (task: TaskRecord): ModelTask => ({
  task_id: task.id,
  kind: task.kind,
  tool: task.tool,
  status: task.status,
  summary: boundedText(task.summary, modelSummaryLimit),
  cancel_requested: task.cancelRequestedAt !== null,
  created_at: task.createdAt,
  ended_at: task.endedAt
})

export const toTask = (row: Row): TaskRecord => {
  const turn = nullableText(row, "turn")
  return {
    owner: PrincipalId(text(row, "owner")),
    id: TaskId(text(row, "id")),
    session: SessionId(text(row, "session")),
    turn: turn === null ? null : TurnId(turn),
    kind: text(row, "kind"),
    tool: text(row, "tool"),
    status: word(row, "status", taskStatuses),
    summary: text(row, "summary"),
    writeScope: text(row, "write_scope"),
    metadata: json(row, "metadata"),
    resultReference: nullableText(row, "result_reference"),
    returnCode: nullableInteger(row, "return_code"),
    exitReason: nullableText(row, "exit_reason"),
    completion: word(row, "completion", completions),
    host: text(row, "host"),
    fence: integer(row, "fence"),
    createdAt: integer(row, "created_at"),
    updatedAt: integer(row, "updated_at"),
    cancelRequestedAt: nullableInteger(row, "cancel_requested_at"),
    endedAt: nullableInteger(row, "ended_at")
  }
}

export interface LogLine {
  readonly sequence: number
  readonly stream: LogStream
  readonly text: string
  readonly at: number
}

export const toLogLine = (row: Row): LogLine => ({
  sequence: integer(row, "sequence"),
  stream: word(row, "stream", ["stdout", "stderr"]),
  text: text(row, "text"),
  at: integer(row, "at")
})

export const selectTask = (scope: PrincipalScope, id: TaskId): Statement =>
  scope.kind === "operator" ? anyTask(id) : selectOwnTask(scope.id, id)

export const selectLog = (scope: PrincipalScope, id: TaskId, after: number, limit: number): Statement =>
  scope.kind === "operator" ? anyLog(id, after, limit) : ownLog(scope.id, id, after, limit)

export const selectTail = (scope: PrincipalScope, id: TaskId, limit: number): Statement =>
  scope.kind === "operator" ? anyTail(id, limit) : ownTail(scope.id, id, limit)

export const insertChunk = (owner: PrincipalId, task: TaskId, fence: number, chunk: LogChunk, at: number): Statement =>
  chunkRow(owner, task, chunk.sequence, chunk.stream, chunk.text, chunk.firstLine, chunk.lines, at, owner, task, fence)

export const insertTask = statement(
  `INSERT INTO tasks (
     owner, id, session, turn, kind, tool, status, summary, write_scope, metadata, completion, host, fence, created_at,
     updated_at
   ) VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?, ?, 'none', ?,
     (SELECT fence FROM hosts WHERE id = ?), ?, ?)
   ON CONFLICT DO NOTHING RETURNING fence`
)
export const updateSummary = statement(
  `UPDATE tasks SET summary = ?, updated_at = ? WHERE owner = ? AND id = ? AND fence = ? AND ended_at IS NULL RETURNING id`
)
export const sealTask = statement(
  `UPDATE tasks SET cancel_requested_at = ?, updated_at = ?
   WHERE owner = ? AND id = ? AND ended_at IS NULL AND cancel_requested_at IS NULL RETURNING id`
)
export const endTask = statement(
  `UPDATE tasks SET
     status = ?, summary = coalesce(?, summary), result_reference = ?, return_code = ?, exit_reason = ?,
     completion = 'pending', ended_at = ?, updated_at = ?
   WHERE owner = ? AND id = ? AND fence = ? AND ended_at IS NULL RETURNING id`
)
export const consumeTask = statement(
  `UPDATE tasks SET completion = 'consumed' WHERE owner = ? AND id = ? AND completion = 'pending' RETURNING id`
)
export const trimLog = statement("DELETE FROM task_logs WHERE owner = ? AND task = ? AND sequence <= ?")

/** For operators: every owner, one after the other, each by the key. */
const anyOwner = "owner IN (SELECT id FROM principals)"

const columns = `SELECT owner, id, session, turn, kind, tool, status, summary, write_scope, metadata, result_reference,
  return_code, exit_reason, completion, host, fence, created_at, updated_at, cancel_requested_at, ended_at FROM tasks`
/** Owner, id. */
export const selectOwnTask = statement(`${columns} WHERE owner = ? AND id = ?`)
const anyTask = statement(`${columns} WHERE ${anyOwner} AND id = ?`)
/** Owner, session, limit; newest first. */
export const selectOfSession = statement(
  `${columns} WHERE owner = ? AND session = ? ORDER BY created_at DESC, id LIMIT ?`
)
export const selectPending = statement(
  `${columns} WHERE owner = ? AND session = ? AND completion = 'pending' ORDER BY ended_at, id LIMIT ?`
)
export const selectAllOf = statement(`${columns} WHERE owner = ? ORDER BY created_at DESC, id LIMIT ?`)
export const selectAll = statement(`${columns} ORDER BY created_at DESC, id LIMIT ?`)

const chunkRow = statement(
  `INSERT INTO task_logs (owner, task, sequence, stream, text, first_line, lines, at)
   SELECT ?, ?, ?, ?, ?, ?, ?, ? FROM tasks WHERE owner = ? AND id = ? AND fence = ? AND ended_at IS NULL`
)
const logColumns = "SELECT sequence, stream, text, at FROM task_logs"

const ownLog = statement(`${logColumns} WHERE owner = ? AND task = ? AND sequence > ? ORDER BY sequence LIMIT ?`)
const anyLog = statement(`${logColumns} WHERE ${anyOwner} AND task = ? AND sequence > ? ORDER BY sequence LIMIT ?`)
const ownTail = statement(`${logColumns} WHERE owner = ? AND task = ? ORDER BY sequence DESC LIMIT ?`)
const anyTail = statement(`${logColumns} WHERE ${anyOwner} AND task = ? ORDER BY sequence DESC LIMIT ?`)
