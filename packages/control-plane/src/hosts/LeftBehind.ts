/**
 * What a host left begun when it died. Nobody knows how it ended, and so it is recorded: `indeterminate`; a call that
 * is read-only by policy has `failed`, for it can have changed nothing.
 */
import { CallId, PrincipalId, SessionId, TaskId, TurnId } from "@gatehouse/core/Identifiers"
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { decodeRows } from "../internal/StoreFaults.ts"
import { type Row, text } from "../Row.ts"
import { statement } from "../Statement.ts"
import type { StoreShape } from "../Store.ts"

export interface LeftBehind {
  readonly effects: ReadonlyArray<LeftEffect>
  readonly tasks: ReadonlyArray<LeftTask>
}

export interface LeftEffect {
  readonly owner: PrincipalId
  readonly call: CallId
  readonly session: SessionId
  readonly turn: TurnId
  readonly tool: string
  readonly status: string
}

export interface LeftTask {
  readonly owner: PrincipalId
  readonly task: TaskId
  readonly session: SessionId
  readonly kind: string
}

export const nothingLeft: LeftBehind = { effects: [], tasks: [] }

/** Why a call or a task of a dead host has the end it has. */
export const hostDied = "the host that ran it ended before it could say how this ended"

/**
 * Ends the host `id` and what it left. Where `renewedAt` is given, only if the host has not spoken since then; two hosts
 * that find the same dead one end it once.
 */
export const endHost = Effect.fnUntraced(function* (
  store: StoreShape,
  id: string,
  renewedAt: number | null,
  by: string
) {
  const now = yield* Clock.currentTimeMillis
  const error = JSON.stringify({ tag: "IndeterminateError", stage: "adapter", message: hostDied, remedy: look })
  const [, effects, tasks] = yield* store.write(
    {
      statements: [
        renewedAt === null ? endOwn(now, by, id) : endSilent(now, by, id, renewedAt),
        endEffects(now, error, id, id),
        endTasks(now, now, hostDied, id, id)
      ]
    },
    "process"
  )
  const left: LeftBehind = {
    effects: yield* decodeRows(store.location, effects, toEffect),
    tasks: yield* decodeRows(store.location, tasks, toTask)
  }
  const events = [
    ...left.effects.map((effect) => effectEvent(effect, now)),
    ...left.tasks.map((task) => taskEvent(task, now))
  ]
  if (events.length > 0) yield* store.post({ statements: [], events })
  return left
})

const look = "look at what it acts on before you ask for it again"

const effectEvent = ({ call, session, turn, tool, status }: LeftEffect, at: number): RuntimeEvent => ({
  type: "effect.recovered",
  session,
  turn,
  call,
  at,
  data: { tool, status, reason: hostDied }
})

const taskEvent = ({ session, task, kind }: LeftTask, at: number): RuntimeEvent => ({
  type: "task.recovered",
  session,
  turn: null,
  call: null,
  at,
  data: { task, kind, status: "indeterminate", reason: hostDied }
})

const toEffect = (row: Row): LeftEffect => ({
  owner: PrincipalId(text(row, "owner")),
  call: CallId(text(row, "call")),
  session: SessionId(text(row, "session")),
  turn: TurnId(text(row, "turn")),
  tool: text(row, "tool"),
  status: text(row, "status")
})

const toTask = (row: Row): LeftTask => ({
  owner: PrincipalId(text(row, "owner")),
  task: TaskId(text(row, "id")),
  session: SessionId(text(row, "session")),
  kind: text(row, "kind")
})

const endOwn = statement("UPDATE hosts SET ended_at = ?, ended_by = ? WHERE id = ? AND ended_at IS NULL")
const endSilent = statement(
  "UPDATE hosts SET ended_at = ?, ended_by = ? WHERE id = ? AND ended_at IS NULL AND renewed_at = ?"
)
const endEffects = statement(
  `UPDATE effects SET
     status = CASE read_only WHEN 1 THEN 'failed' ELSE 'indeterminate' END,
     may_have_happened = 1 - read_only, execution_started = 1, settled_at = ?, error = ?, recovered = 1
   WHERE host = ? AND settled_at IS NULL AND EXISTS (SELECT 1 FROM hosts WHERE id = ? AND ended_at IS NOT NULL)
   RETURNING owner, call, session, turn, tool, status`
)
const endTasks = statement(
  `UPDATE tasks SET
     status = 'indeterminate', ended_at = ?, updated_at = ?, exit_reason = ?, completion = 'pending'
   WHERE host = ? AND ended_at IS NULL AND EXISTS (SELECT 1 FROM hosts WHERE id = ? AND ended_at IS NOT NULL)
   RETURNING owner, id, session, kind`
)
