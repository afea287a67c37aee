/** `gatehouse check capability`: do these grants cover this effect? */
import { matchCapability } from "@gatehouse/policy/capabilities/CapabilityMatch"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decodeCase } from "./CaseInput.ts"
import type { CheckKind } from "./CheckKind.ts"

const Grants = Schema.Array(Schema.String)
const GrantsByComponent = Schema.Record({ key: Schema.String, value: Grants })

/** The form of `test/vectors/capability-match.json`. */
const CapabilityCase = Schema.Struct({
  grants: Schema.optionalWith(Grants, { default: () => [] }),
  required: Schema.String,
  lookup: Schema.optionalWith(Schema.Literal("default", "gate", "inside", "exact-default"), {
    default: () => "default" as const
  }),
  component: Schema.optional(Schema.String),
  component_grants: Schema.optional(GrantsByComponent),
  component_declares: Schema.optional(GrantsByComponent)
})

export const capabilityCheck: CheckKind = {
  name: "capability",
  summary: "do these grants cover this effect?",
  decide: (input) =>
    Effect.map(decodeCase(CapabilityCase, input), (question) => {
      const answer = matchCapability({
        required: question.required,
        lookup: question.lookup,
        grants: question.grants,
        ...(question.component === undefined ? {} : { component: question.component }),
        ...(question.component_grants === undefined ? {} : { componentGrants: question.component_grants }),
        ...(question.component_declares === undefined ? {} : { componentDeclares: question.component_declares })
      })
      return { granted: answer.granted, by: answer.by }
    })
}
