/** Questions of one kind, from wherever they come, answered. */
import type { Json } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import type { CheckKind } from "../check/CheckKind.ts"
import { decideTimed } from "../check/Compare.ts"
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
