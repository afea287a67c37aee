/** Questions and their answers as rows of the table `approvals`. */
import type { ApprovalId } from "@gatehouse/core/Identifiers"
import type { ApprovalResolution, PendingApproval } from "@gatehouse/core/PendingApprovals"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { integer, json, nullableInteger, nullableText, type Row } from "../Row.ts"
import { type Statement, statement } from "../Statement.ts"

export interface ApprovalRecord {
  readonly approval: PendingApproval
  /** Null while nobody has answered. */
  readonly resolution: ApprovalResolution | null
}

/** `pending` are those that can still be answered. */
export type ApprovalFilter = "pending" | "all"

// The record was written by `insertApproval` from this very type, in a table that nobody else writes.
export const toApproval = (row: Row): PendingApproval => json(row, "record") as unknown as PendingApproval

export const toRecord = (row: Row): ApprovalRecord => ({ approval: toApproval(row), resolution: toResolution(row) })

const toResolution = (row: Row): ApprovalResolution | null => {
  const answer = nullableText(row, "answer")
  if (answer === null) return null
  return {
    answer,
    by: nullableText(row, "answered_by") ?? "",
    at: nullableInteger(row, "answered_at") ?? integer(row, "deadline")
  }
}

export const insertApproval = (approval: PendingApproval): Statement =>
  insert(
    approval.principal,
    approval.id,
    approval.session,
    JSON.stringify(approval),
    approval.createdAt,
    approval.deadline
  )

/** Only where there is no answer yet. */
export const resolveApproval = ({ answer, by, at }: ApprovalResolution, id: ApprovalId): Statement =>
  resolve(answer, by, at, id)

export const selectApproval = (scope: PrincipalScope, id: ApprovalId): Statement =>
  scope.kind === "operator" ? selectById(id) : byOwner(scope.id, id)

export const selectRecords = (scope: PrincipalScope, filter: ApprovalFilter, now: number, limit: number): Statement => {
  if (scope.kind === "operator") return filter === "all" ? allOfAll(limit) : pendingOfAll(now, limit)
  return filter === "all" ? allOfOwner(scope.id, limit) : pendingOfOwner(scope.id, now, limit)
}

const insert = statement(
  "INSERT INTO approvals (owner, id, session, record, created_at, deadline) VALUES (?, ?, ?, ?, ?, ?)"
)
const resolve = statement(
  `UPDATE approvals SET answer = ?, answered_by = ?, answered_at = ?
   WHERE owner IN (SELECT id FROM principals) AND id = ? AND answer IS NULL RETURNING id`
)
const columns = "SELECT record, deadline, answer, answered_by, answered_at FROM approvals"
/** By its id alone: for the surfaces of the host itself. */
export const selectById = statement(`${columns} WHERE owner IN (SELECT id FROM principals) AND id = ?`)
const byOwner = statement(`${columns} WHERE owner = ? AND id = ?`)
/** What a principal could still answer, oldest first: owner, now. */
export const selectPendingOf = statement(
  `${columns} WHERE owner = ? AND answer IS NULL AND deadline > ? ORDER BY created_at, id`
)
const pendingOfOwner = statement(
  `${columns} WHERE owner = ? AND answer IS NULL AND deadline > ? ORDER BY created_at DESC LIMIT ?`
)
const allOfOwner = statement(`${columns} WHERE owner = ? ORDER BY created_at DESC LIMIT ?`)
const pendingOfAll = statement(`${columns} WHERE answer IS NULL AND deadline > ? ORDER BY created_at DESC LIMIT ?`)
const allOfAll = statement(`${columns} ORDER BY created_at DESC LIMIT ?`)
