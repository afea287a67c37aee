/** `gatehouse approvals`: the questions that are open, whichever process asked them, and their answers. */

import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { type ApprovalRecord } from "@gatehouse/control-plane/approvals/ApprovalRows"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import { CommandFailed } from "../ExitStatus.ts"
import { approvalsOperator, findApproval } from "../FindApproval.ts"
import { localStoreLayer, storeFailed } from "../LocalStore.ts"
import { Output } from "../Output.ts"
import { renderQuestion, renderReasons } from "../render/Question.ts"
import { table } from "../render/Table.ts"

export interface ApprovalsArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
}

export const runApprovalsList = Effect.fn("gatehouse approvals list")(
  function* (args: ApprovalsArguments & { readonly all: boolean }) {
    const output = yield* Output
    const records = yield* ApprovalRecords
    const found = yield* records.list(yield* approvalsOperator, args.all ? "all" : "pending")
    if (args.json) return yield* output.result(inertJson(found, 2))
    if (found.length === 0) return yield* output.result(args.all ? "no questions" : "no open questions")
    const now = yield* Clock.currentTimeMillis
    yield* output.result(
      table(
        ["ID", "TOOL", "ACTION", "TARGET", "RISK", "STATE"],
        found.map((record) => row(record, now)),
        output
      )
    )
  },
  Effect.mapError(storeFailed),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

export const runApprovalsShow = Effect.fn("gatehouse approvals show")(
  function* (args: ApprovalsArguments & { readonly id: string }) {
    const output = yield* Output
    const record = yield* findApproval(args.id)
    if (args.json) return yield* output.result(inertJson(record, 2))
    yield* output.result(
      `${renderQuestion(record.approval, output).trimStart()}\n${renderReasons(record.approval, output)}`
    )
    yield* output.result(`  ${state(record, yield* Clock.currentTimeMillis)}`)
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

/** The first answer counts; a later one is told so, and changes nothing. */
export const runApprovalsAnswer = Effect.fn("gatehouse approvals answer")(
  function* (
    args: ApprovalsArguments & { readonly id: string; readonly answer: "allow" | "deny" | "always_allow_for_session" }
  ) {
    const output = yield* Output
    const records = yield* ApprovalRecords
    const { approval } = yield* findApproval(args.id)
    const answered = yield* Effect.mapError(
      records.answer(yield* Effect.mapError(approvalsOperator, storeFailed), approval.id, args.answer, "command line"),
      storeFailed
    )
    if (answered !== "recorded") {
      return yield* new CommandFailed({
        status: "failed",
        message: `${approval.id} was answered before, or its time is over`,
        remedy: "`gatehouse approvals show` says by whom"
      })
    }
    yield* output.result(
      args.json
        ? JSON.stringify({ id: approval.id, answer: args.answer })
        : `${args.answer}: ${approval.tool} ${approval.action} ${approval.target}`
    )
  },
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

/** Shows each open question once, as it comes, until it is stopped. */
export const runApprovalsWatch = Effect.fn("gatehouse approvals watch")(
  function* (args: ApprovalsArguments) {
    const output = yield* Output
    const records = yield* ApprovalRecords
    const scope = yield* approvalsOperator
    const shown = new Set<string>()
    yield* output.note("watching for questions; Ctrl-C ends")
    yield* Effect.repeat(
      Effect.gen(function* () {
        for (const { approval } of yield* records.list(scope, "pending")) {
          if (shown.has(approval.id)) continue
          shown.add(approval.id)
          yield* output.result(
            args.json
              ? JSON.stringify(approval)
              : `${renderQuestion(approval, output)}\n  gatehouse approvals allow ${approval.id}\n  gatehouse approvals deny ${approval.id}`
          )
        }
      }),
      Schedule.spaced("500 millis")
    )
  },
  Effect.mapError(storeFailed),
  (effect, args) => Effect.provide(effect, localStoreLayer(args.home))
)

const row = (record: ApprovalRecord, now: number): ReadonlyArray<string> => {
  const { action, id, risk, target, tool } = record.approval
  return [id, tool, action, target, risk, state(record, now)]
}

const state = ({ approval, resolution }: ApprovalRecord, now: number): string => {
  if (resolution !== null) return `${resolution.answer}, by ${resolution.by}`
  return approval.deadline <= now ? "expired" : `open for ${Math.ceil((approval.deadline - now) / 1000)} s`
}
