/** `gatehouse check manifest`: is this file of an agent core valid, and if not, which field is wrong? */
import { readManifest } from "@gatehouse/catalog/manifests/Manifest"
import type { ManifestFault } from "@gatehouse/catalog/manifests/ManifestFault"
import { renderFault } from "@gatehouse/catalog/manifests/ManifestFault"
import { renderIssue } from "@gatehouse/catalog/manifests/SchemaFaults"
import type { JsonObject } from "@gatehouse/core/Json"
import { freezeJson } from "@gatehouse/core/Json"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { CheckKind } from "./CheckKind.ts"
import { CheckRefused } from "./CheckKind.ts"

const Question = Schema.Struct({ file: Schema.String, yaml: Schema.String })

const decode = Schema.decodeUnknown(Question, { errors: "all", onExcessProperty: "error" })

const refusal = (faults: ReadonlyArray<ManifestFault>): JsonObject => {
  const [first] = faults
  return first === undefined
    ? { accepted: false }
    : { ...spoken(first), accepted: false, faults: faults.map((fault) => spoken(fault)) }
}

const spoken = (fault: ManifestFault) => ({
  file: fault.file,
  line: fault.line,
  field: fault.field,
  code: fault.code,
  suggestion: fault.suggestion,
  message: renderFault(fault)
})

const answer = ({ file, yaml }: Schema.Schema.Type<typeof Question>): Either.Either<JsonObject, CheckRefused> => {
  const reading = readManifest(file, yaml)
  if (reading === null) {
    return Either.left(
      new CheckRefused({
        message:
          "file: names no manifest of a core; known are agent.yaml, agent/tools/<id>/tool.yaml, " +
          "agent/mcp/<server>.yaml, agent/schedules/<id>.yaml"
      })
    )
  }
  if (Either.isLeft(reading)) return Either.right(refusal(reading.left))
  return freezeJson(reading.right.value).pipe(
    Either.map((values): JsonObject => ({ accepted: true, values })),
    Either.mapLeft(({ path, reason }) => new CheckRefused({ message: `${path}: ${reason}` }))
  )
}

export const manifestCheck: CheckKind = {
  name: "manifest",
  summary: "Whether a file of an agent core is valid, and which field is wrong",
  decide: Effect.fn("manifestCheck.decide")(function* (input: unknown) {
    const question = yield* decode(input).pipe(
      Effect.mapError((error) => new CheckRefused({ message: renderIssue(error.issue) }))
    )
    const begin = yield* Clock.currentTimeNanos
    const output = yield* answer(question)
    const micros = Number((yield* Clock.currentTimeNanos) - begin) / 1000
    return { ...output, micros }
  })
}
