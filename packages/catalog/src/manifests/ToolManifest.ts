/** `agent/tools/<id>/tool.yaml`: one authored tool. */
import type { Json, JsonObject } from "@gatehouse/core/Json"
import { freezeJson, isJsonObject } from "@gatehouse/core/Json"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { CapabilityName, DisplayPolicyName, ModelOutputPolicyName, PolicyName, RiskName } from "./FieldRules.ts"
import { inputSchemaProblems } from "./InputSchema.ts"
import { hints, judged, optional } from "./SchemaHints.ts"

/**
 * `<file>:<function>`: a file of the tool's own folder, with or without its ending, and a name that it exports. A name
 * that every object has would be found in a module that does not export it.
 */
const Entrypoint = Schema.String.pipe(
  Schema.filter(
    (text) => {
      const [, exported] = /^[A-Za-z0-9_][A-Za-z0-9_.-]*:([A-Za-z_$][A-Za-z0-9_$]*)$/.exec(text) ?? []
      return exported !== undefined && !(exported in Object.prototype)
    },
    hints({
      expected: "`<file>:<function>`, a file in the tool's own folder and a function that it exports",
      jsonSchema: { pattern: "^[A-Za-z0-9_][A-Za-z0-9_.-]*:[A-Za-z_$][A-Za-z0-9_$]*$" }
    })
  )
)

const isJson = (value: unknown): value is JsonObject =>
  Either.match(freezeJson(value), { onLeft: () => false, onRight: (json: Json) => isJsonObject(json) })

const InputSchema = judged(
  Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
    Schema.filter(isJson, hints({ expected: "a block of JSON values" }))
  ),
  inputSchemaProblems,
  { jsonSchema: { properties: { type: { const: "object" } } } }
)

/** The schema that reads `tool.yaml`. */
export const ToolManifest = Schema.Struct({
  entrypoint: optional(Entrypoint, "module:execute", "File of this folder and exported function: `module:execute`."),
  description: optional(Schema.String, "", "What the tool does; the model reads it."),
  input_schema: optional(InputSchema, {}, "JSON Schema of the arguments, an object."),
  risk: optional(RiskName, "medium", "How grave a call is."),
  capability: optional(
    Schema.NullOr(CapabilityName),
    null,
    "Required before the tool is called; `null` requires nothing. The core grants it, never the tool."
  ),
  approval_policy: optional(PolicyName, "prompt", "What happens before a call."),
  display_policy: optional(DisplayPolicyName, "summary", "How much of a result a person is shown."),
  model_output_policy: optional(ModelOutputPolicyName, "content", "How much of a result the model is shown."),
  capabilities: optional(
    Schema.Array(CapabilityName),
    [],
    "What the tool's own code may require; it cannot open the tool's own gate."
  )
}).annotations({ title: "Gatehouse tool", description: "One authored tool of an agent core." })

/** A read `tool.yaml`, defaults filled in; fields are named as in the file. */
export type ToolManifest = Schema.Schema.Type<typeof ToolManifest>
