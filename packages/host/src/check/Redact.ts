/** `gatehouse check redact`: what does each of five readers see of this payload? */
import { cpuMillis } from "@gatehouse/policy/redaction/CpuTime.boundary"
import { payloadViews } from "@gatehouse/policy/redaction/PayloadViews"
import { makeRedactor } from "@gatehouse/policy/redaction/RedactorLive"
import { ownPattern } from "@gatehouse/policy/redaction/text/OwnPatterns"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { decodeCase } from "./CaseInput.ts"
import { type CheckKind, CheckRefused } from "./CheckKind.ts"

const Texts = Schema.Record({ key: Schema.String, value: Schema.String })

/** The form of `test/vectors/redaction.json`. */
const RedactCase = Schema.Struct({
  args: Schema.optional(Schema.Unknown),
  result: Schema.optional(Schema.Unknown),
  error: Schema.optional(Schema.Unknown),
  bindings: Schema.optionalWith(Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.String })), {
    default: () => []
  }),
  env: Schema.optionalWith(Texts, { default: () => ({}) }),
  headers: Schema.optionalWith(Texts, { default: () => ({}) }),
  stream: Schema.optional(
    Schema.Struct({
      chunks: Schema.optional(Schema.Array(Schema.String)),
      text: Schema.optional(Schema.String),
      split_bytes: Schema.optional(Schema.Number)
    })
  ),
  execution_started: Schema.optionalWith(Schema.Boolean, { default: () => true }),
  /** A team's own names and patterns, as `redaction` in `agent.yaml` lists them. */
  redaction: Schema.optionalWith(
    Schema.Struct({
      field_names: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] }),
      patterns: Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })
    }),
    { default: () => ({ field_names: [], patterns: [] }) }
  ),
  fault: Schema.optional(Schema.Unknown)
})

export const redactCheck: CheckKind = {
  name: "redact",
  summary: "what does each of five readers see of this payload?",
  decide: (input) =>
    Effect.gen(function* () {
      const question = yield* decodeCase(RedactCase, input)
      if (question.fault !== undefined) {
        return yield* new CheckRefused({
          message: "fault: is injected by the tests of packages/policy, not from outside"
        })
      }
      const { args, result, error, stream, redaction } = question
      for (const pattern of redaction.patterns) {
        const checked = ownPattern(pattern)
        if (Either.isLeft(checked))
          return yield* new CheckRefused({ message: `redaction.patterns: one ${checked.left}` })
      }
      const redactor = makeRedactor(
        {
          homeKey: noKey,
          hostEnvironment: {},
          additions: { fieldNames: redaction.field_names, patterns: redaction.patterns }
        },
        cpuMillis
      )
      const text = stream === undefined ? undefined : (stream.chunks?.join("") ?? stream.text ?? "")
      const payload = redactor.redact(
        { args, result, error, ...(text === undefined ? {} : { stream: text }) },
        {
          bindings: new Map(question.bindings.map(({ name, value }) => [name, value])),
          environment: question.env,
          headers: question.headers
        }
      )
      return {
        views: payloadViews(payload),
        status: payload === null ? "failed" : "succeeded",
        execution_started: question.execution_started
      }
    })
}

/** No fingerprint is shown here, so none needs a home's key. */
const noKey = new Uint8Array(32)
