/** `gatehouse check tool-name`: under which names would the model see these tools? */

import { renderIssue } from "@gatehouse/catalog/manifests/SchemaFaults"
import { nameTools } from "@gatehouse/catalog/names/ToolNames"
import type { Json } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { CheckKind } from "./CheckKind.ts"
import { CheckRefused } from "./CheckKind.ts"

const Names = Schema.optionalWith(Schema.Array(Schema.String), { default: () => [] })

const Question = Schema.Struct({
  servers: Schema.optionalWith(
    Schema.Array(Schema.Struct({ id: Schema.String, tools: Names, include: Names, exclude: Names })),
    { default: () => [] }
  ),
  builtin: Names,
  authored: Names
})

const decode = Schema.decodeUnknown(Question, { errors: "all", onExcessProperty: "error" })

const answer = (question: Schema.Schema.Type<typeof Question>): Json => {
  const naming = nameTools(question)
  return naming.outcome === "collision"
    ? { outcome: naming.outcome, name: naming.name, message: naming.message }
    : {
        outcome: naming.outcome,
        names: Object.fromEntries(naming.names.map(({ name, server, tool }) => [`${server}/${tool}`, name]))
      }
}

export const toolNameCheck: CheckKind = {
  name: "tool-name",
  summary: "Under which names the model sees the tools of MCP servers",
  decide: (input) =>
    decode(input).pipe(
      Effect.mapError((error) => new CheckRefused({ message: renderIssue(error.issue) })),
      Effect.map(answer)
    )
}
