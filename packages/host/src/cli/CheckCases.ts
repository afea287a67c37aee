/** Questions of one kind, from wherever they come: answered, or compared with what a file expects. */
import type { Json } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import type { CheckKind } from "../check/CheckKind.ts"
import { compareCase, decideTimed } from "../check/Compare.ts"
import { type ExpectedCase, readExpectations } from "../check/Expectations.ts"
import { reportCompared } from "./CheckReport.ts"
import { CommandFailed } from "./ExitStatus.ts"
import { readInput } from "./Input.boundary.ts"
import { Output } from "./Output.ts"

/** How a person reads the answer to one question. */
export type RenderAnswer = (
  question: unknown,
  answer: Json,
  style: { readonly colours: boolean; readonly columns: number }
) => string

/** What is read from a file: `-`, and what looks like the name of one. */
export const isCaseSource = (source: string): boolean => source === "-" || /\.(json|ya?ml)$/i.test(source)

/** Answers the one question or the list of cases in `source`, a file or `-`. */
export const answerSource = Effect.fnUntraced(function* (
  kind: CheckKind,
  source: string,
  json: boolean,
  render: RenderAnswer
) {
  const output = yield* Output
  const question = yield* parseJson(yield* readInput(source), source)
  if (!Array.isArray(question)) return yield* answerQuestion(kind, question, json, render)
  const answers = yield* Effect.forEach(question, (one: unknown) => answerCase(kind, one))
  yield* output.result(JSON.stringify(answers, null, json ? undefined : 2))
})

/** Answers one question. */
export const answerQuestion = Effect.fnUntraced(function* (
  kind: CheckKind,
  question: unknown,
  json: boolean,
  render: RenderAnswer
) {
  const output = yield* Output
  const answer = yield* Effect.mapError(
    decideTimed(kind, question),
    ({ message }) =>
      new CommandFailed({ status: "invalid", message, remedy: "see the form of the cases in test/vectors/README.md" })
  )
  yield* output.result(json ? JSON.stringify(answer) : render(question, answer, output))
})

/** Compares the answers of `kind` with what the file expects of them. */
export const compareSource = Effect.fnUntraced(function* (kind: CheckKind, file: string, json: boolean) {
  const cases = yield* readCases(file)
  const foreign = cases.find((one) => one.kind !== null && one.kind !== kind.name)
  if (foreign !== undefined) {
    return yield* new CommandFailed({
      status: "invalid",
      message: `${foreign.place} ${foreign.id}: is of kind ${foreign.kind}, not ${kind.name}`,
      remedy: `\`gatehouse check all --expect ${file}\` runs cases of all kinds`
    })
  }
  yield* reportCompared(yield* Effect.forEach(cases, (one) => compareCase(kind, one)), json)
})

/** The cases of a file; whatever is wrong with it is told with its line. */
export const readCases = (file: string): Effect.Effect<ReadonlyArray<ExpectedCase>, CommandFailed> =>
  Effect.flatMap(readInput(file), (text) =>
    Effect.mapError(
      Effect.suspend(() => readExpectations(file, text)),
      notExpectations
    )
  )

export const notExpectations = (faults: ReadonlyArray<string>): CommandFailed =>
  new CommandFailed({
    status: "invalid",
    message: faults.join("\n"),
    remedy: "docs/policy-tests.md shows the form"
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
