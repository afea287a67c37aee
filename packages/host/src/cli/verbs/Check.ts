/** `gatehouse check KIND`: policy questions, answered without doing anything. */
import { freezeJson, isJsonObject, type Json } from "@gatehouse/core/Json"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { disagreements } from "../../check/Agreement.ts"
import type { CheckKind } from "../../check/CheckKind.ts"
import { checkKindNames, inputFromText, isCheckKindName, loadCheckKind } from "../../check/CheckKinds.boundary.ts"
import { alreadyShown, CommandFailed } from "../ExitStatus.ts"
import { readInput } from "../Input.boundary.ts"
import { Output } from "../Output.ts"
import { renderFields } from "../render/Fields.ts"

export interface CheckArguments {
  readonly kind: string
  /** A file, `-`, or for some kinds the question itself. */
  readonly source: string
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
  const kind = yield* loadCheckKind(args.kind)
  if (args.expect !== null)
    return yield* compareCases(kind, yield* parseCases(yield* readInput(args.expect), args.expect))
  const typed = isCaseSource(args.source) ? null : inputFromText(args.kind, args.source)
  const question = typed ?? (yield* parseJson(yield* readInput(args.source), args.source))
  const output = yield* Output
  if (Array.isArray(question)) {
    const answers = yield* Effect.forEach(question, (one) => answerCase(kind, one))
    return yield* output.result(JSON.stringify(answers, null, args.json ? undefined : 2))
  }
  const answer = yield* decideTimed(kind, question).pipe(Effect.mapError(refusedQuestion))
  yield* output.result(args.json ? JSON.stringify(answer) : renderFields(answer, output))
})

/** What is read from a file: `-`, and what looks like the name of one. */
const isCaseSource = (source: string): boolean => source === "-" || /\.(json|ya?ml)$/i.test(source)

const refusedQuestion = (refused: { readonly message: string }): CommandFailed =>
  new CommandFailed({
    status: "invalid",
    message: refused.message,
    remedy: "see the form of the cases in test/vectors/README.md"
  })

const decideTimed = Effect.fnUntraced(function* (kind: CheckKind, input: unknown) {
  const before = yield* Clock.currentTimeNanos
  const answer = yield* kind.decide(input)
  const micros = Number(((yield* Clock.currentTimeNanos) - before) / 1000n)
  return isJsonObject(answer) ? { ...answer, micros } : answer
})

const answerCase = (kind: CheckKind, one: unknown): Effect.Effect<Json> =>
  Effect.suspend(() => {
    const id = fieldOf(one, "id")
    const name = typeof id === "string" ? id : ""
    return decideTimed(kind, fieldOf(one, "input")).pipe(
      Effect.match({
        onFailure: (refused): Json => ({ id: name, error: { tag: refused._tag, message: refused.message } }),
        onSuccess: (output): Json => ({ id: name, output })
      })
    )
  })

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && name in value
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined

const parseJson = (text: string, source: string): Effect.Effect<unknown, CommandFailed> =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) =>
      new CommandFailed({
        status: "invalid",
        message: `${source === "-" ? "standard input" : source} is no JSON: ${error instanceof Error ? error.message : "unknown fault"}`,
        remedy: 'give one case, or an array of {"id", "input"}'
      })
  })

interface ExpectedCase {
  readonly id: string
  readonly input: unknown
  readonly expect: Json
}

const parseCases = Effect.fnUntraced(function* (text: string, source: string) {
  const value = yield* parseJson(text, source)
  const cases = Array.isArray(value) ? value : [value]
  return yield* Effect.forEach(cases, (one: unknown, index) => {
    const expected = freezeJson(fieldOf(one, "expect"))
    const id = fieldOf(one, "id")
    if (Either.isLeft(expected) || fieldOf(one, "expect") === undefined) {
      return new CommandFailed({
        status: "invalid",
        message: `case ${index} of ${source} has no "expect"`,
        remedy: 'each case is {"id", "input", "expect"}'
      })
    }
    return Effect.succeed<ExpectedCase>({
      id: typeof id === "string" ? id : `${index}`,
      input: fieldOf(one, "input"),
      expect: expected.right
    })
  })
})

const compareCases = Effect.fnUntraced(function* (kind: CheckKind, cases: ReadonlyArray<ExpectedCase>) {
  const output = yield* Output
  let failed = 0
  for (const { expect, id, input } of cases) {
    const faults = yield* decideTimed(kind, input).pipe(
      Effect.match({ onFailure: (refused) => [refused.message], onSuccess: (answer) => disagreements(expect, answer) })
    )
    if (faults.length === 0) continue
    failed += 1
    yield* output.result(`${id}: ${faults.join("; ")}`)
  }
  yield* output.result(`${cases.length - failed} passed, ${failed} failed`)
  if (failed > 0) yield* alreadyShown("failed")
})
