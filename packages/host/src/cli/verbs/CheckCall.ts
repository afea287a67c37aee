/** `gatehouse check call TOOL JSON`: how a call would fare, stage by stage, without doing anything. */
import * as Effect from "effect/Effect"
import { callInput } from "../CallInput.ts"
import { withCallKind } from "../CallKind.ts"
import { answerQuestion, answerSource, isCaseSource } from "../CheckCases.ts"
import { compareSource } from "../CompareCases.ts"
import { CommandFailed } from "../ExitStatus.ts"
import type { Places } from "../GlobalOptions.ts"
import { readInput } from "../Input.boundary.ts"
import { renderExplanation } from "../render/Explanation.ts"

export interface CheckCallArguments extends Places {
  /** A tool and its arguments; or a file of cases, or `-`. */
  readonly rest: ReadonlyArray<string>
  /** The principal's name. */
  readonly as: string
  readonly json: boolean
  readonly expect: string | null
}

export const runCheckCall = Effect.fn("gatehouse check call")(function* (args: CheckCallArguments) {
  const [first, second, ...more] = args.rest
  const { expect } = args
  if (expect !== null) return yield* withCallKind(args, (kind) => compareSource(kind, expect, args.json))
  if (first === undefined || more.length > 0) {
    return yield* new CommandFailed({
      status: "invalid",
      message: "check call takes a tool and its arguments",
      remedy: `as in: gatehouse check call read_file '{"path":"README.md"}'`
    })
  }
  if (second === undefined && isCaseSource(first)) {
    return yield* withCallKind(args, (kind) => answerSource(kind, first, args.json, renderExplanation))
  }
  const given = yield* callInput(second === "-" ? yield* readInput("-") : (second ?? "{}"))
  yield* withCallKind(args, (kind) =>
    answerQuestion(kind, { tool: first, arguments: given, as: args.as }, args.json, renderExplanation)
  )
})
