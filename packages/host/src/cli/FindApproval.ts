/** One question by its id, or by the beginning of it, for the operator of this home. */
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { ApprovalId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import { CommandFailed } from "./ExitStatus.ts"
import { storeFailed } from "./LocalStore.ts"

/** The person at this machine, as an operator: questions of every session of this home are theirs to answer. */
export const approvalsOperator = Effect.flatMap(Principals, (principals) => principals.operator("gatehouse approvals"))

/** The question whose id is, or begins with, what was typed. */
export const findApproval = Effect.fnUntraced(function* (typed: string) {
  const records = yield* ApprovalRecords
  const scope = yield* Effect.mapError(approvalsOperator, storeFailed)
  const exact = yield* Effect.mapError(records.get(scope, ApprovalId(typed)), storeFailed)
  if (exact !== null) return exact
  const near = (yield* Effect.mapError(records.list(scope, "all"), storeFailed)).filter(({ approval }) =>
    approval.id.startsWith(typed)
  )
  const [only] = near
  if (only !== undefined && near.length === 1) return only
  return yield* new CommandFailed({
    status: "not_found",
    message:
      near.length === 0
        ? `there is no question ${JSON.stringify(typed)}`
        : `${near.length} questions begin with ${JSON.stringify(typed)}`,
    remedy: "`gatehouse approvals list` shows the open ones"
  })
})
