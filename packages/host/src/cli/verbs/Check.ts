/** `gatehouse check KIND`: policy questions about a text or a value, answered without doing anything. */
import * as Effect from "effect/Effect"
import { checkKindNames, inputFromText, isCheckKindName, loadCheckKind } from "../../check/CheckKinds.boundary.ts"
import { answerQuestion, answerSource, isCaseSource } from "../CheckCases.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { renderAnswer } from "../render/Answer.ts"
import * as Verbs from "../Verbs.boundary.ts"

export interface CheckArguments {
  readonly kind: string
  /** A file, `-`, or for some kinds the question itself; by default `-`. */
  readonly rest: ReadonlyArray<string>
  readonly json: boolean
  /** A file of cases with `expect`: the answers are compared. */
  readonly expect: string | null
}

export const runCheck = Effect.fn("gatehouse check")(function* (args: CheckArguments) {
  if (!isCheckKindName(args.kind)) {
    return yield* new CommandFailed({
      status: "invalid",
      message: `check knows no kind ${JSON.stringify(args.kind)}`,
      remedy: `the kinds are ${checkKindNames.join(", ")}, call and all`
    })
  }
  const [source = "-", ...more] = args.rest
  if (more.length > 0) {
    return yield* new CommandFailed({
      status: "invalid",
      message: `check ${args.kind} takes one question, and was given ${args.rest.length} words`,
      remedy: `put it in quotes, as in: gatehouse check command 'npm test'`
    })
  }
  const kind = yield* loadCheckKind(args.kind)
  if (args.expect !== null) {
    const { compareSource } = yield* Verbs.loadCompareCases
    return yield* compareSource(kind, args.expect, args.json)
  }
  const typed = isCaseSource(source) ? null : inputFromText(args.kind, source)
  const render = renderAnswer(args.kind)
  yield* typed === null ? answerSource(kind, source, args.json, render) : answerQuestion(kind, typed, args.json, render)
})
