/** Reads the input of one question, and says in words what does not fit; never with a value. */
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { CheckRefused } from "./CheckKind.ts"

/** `input` as `schema` reads it; unknown fields are refused, so that a misspelt one is not taken for absent. */
export const decodeCase = <A, I>(schema: Schema.Schema<A, I>, input: unknown): Effect.Effect<A, CheckRefused> =>
  Effect.mapError(
    Schema.decodeUnknown(schema, { onExcessProperty: "error" })(input),
    (error) => new CheckRefused({ message: firstFault(error) })
  )

/** The place of the first fault and its kind, with the remedy. */
const firstFault = (error: ParseResult.ParseError): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  const place = issue === undefined || issue.path.length === 0 ? "the input" : issue.path.join(".")
  return `${place}: ${faultOf(issue?._tag)}; test/vectors/README.md lists the fields of each kind of question`
}

const faultOf = (tag: ParseResult.ArrayFormatterIssue["_tag"] | undefined): string => {
  switch (tag) {
    case "Missing":
      return "is missing"
    case "Unexpected":
      return "is no field of this question"
    default:
      return "has a type or a word that this question does not take"
  }
}
