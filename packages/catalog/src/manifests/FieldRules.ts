/** The values that fields of manifests can have, each with the words that refuse everything else. */
import type { DisplayPolicy, ModelOutputPolicy } from "@gatehouse/core/EffectEntry"
import { policies } from "@gatehouse/core/Policy"
import { risks } from "@gatehouse/core/Risk"
import * as Schema from "effect/Schema"
import type { Judgement } from "./SchemaHints.ts"
import { hints, judged } from "./SchemaHints.ts"

export const PolicyName = Schema.Literal(...policies)
export const RiskName = Schema.Literal(...risks)

const displayPolicies = ["summary", "full", "hidden"] as const satisfies ReadonlyArray<DisplayPolicy>
export const DisplayPolicyName = Schema.Literal(...displayPolicies)

const modelOutputPolicies = ["content", "summary", "none"] as const satisfies ReadonlyArray<ModelOutputPolicy>
export const ModelOutputPolicyName = Schema.Literal(...modelOutputPolicies)

const control = /[\p{Cc}\p{Cs}]/u

/** Text with something to read in it, on one line. */
export const Line = Schema.String.pipe(
  Schema.filter(
    (text) => text.trim() !== "" && !control.test(text),
    hints({ expected: "a text of one line that is not blank", jsonSchema: { pattern: "\\S" } })
  )
)

/** Text that a process can be given: anything but NUL. */
export const ProcessText = Schema.String.pipe(
  Schema.filter((text) => !text.includes("\0"), hints({ expected: "a text without the character NUL" }))
)

/** More than zero and at most a day: what a timer can count and a person means. */
export const Seconds = Schema.Number.pipe(
  Schema.filter(
    (value) => value > 0 && value <= 86_400,
    hints({
      code: "out_of_range",
      expected: "a number of seconds above 0 and up to 86400",
      jsonSchema: { exclusiveMinimum: 0, maximum: 86_400 }
    })
  )
)

/** A whole number within bounds, both included. */
export const wholeNumber = (minimum: number, maximum: number) =>
  Schema.Number.pipe(
    Schema.filter(
      (value) => Number.isInteger(value) && value >= minimum && value <= maximum,
      hints({
        code: "out_of_range",
        expected: `a whole number from ${minimum} to ${maximum}`,
        jsonSchema: { type: "integer", minimum, maximum }
      })
    )
  )

/** Parts between dots and colons, none of them empty; no blank, control character or wildcard. As `check capability` reads it. */
const capabilityName = /^[^\s\p{C}\p{Z}*.:]+([.:][^\s\p{C}\p{Z}*.:]+)*$/u

/** A capability that is required: a whole name. */
export const CapabilityName = Schema.String.pipe(
  Schema.filter(
    (name) => capabilityName.test(name),
    hints({
      expected: "the whole name of a capability such as `fs.read` or `mcp.call:docs`, without blanks and wildcards",
      jsonSchema: { pattern: "^[^\\s*.:]+([.:][^\\s*.:]+)*$" }
    })
  )
)

/** Whether `name` can stand as a grant: a whole name, or everything below one. */
const isGrant = (name: string): boolean => capabilityName.test(name.endsWith(":*") ? name.slice(0, -2) : name)

/** A block whose field names are free within a rule. */
const named = <A, I>(
  value: Schema.Schema<A, I>,
  rule: { readonly allows: (name: string) => boolean; readonly expected: string; readonly pattern: string }
) =>
  judged(
    Schema.Record({ key: Schema.String, value }),
    (block): ReadonlyArray<Judgement> =>
      Object.keys(block)
        .filter((name) => !rule.allows(name))
        .map((name) => ({ path: [name], message: `the name must be ${rule.expected}` })),
    { jsonSchema: { propertyNames: { pattern: rule.pattern } } }
  )

/** A block by tool name. Exposed names of MCP tools count as well. */
export const byTool = <A, I>(value: Schema.Schema<A, I>) =>
  named(value, {
    allows: (name) => name.trim() !== "" && !control.test(name),
    expected: "that of a tool",
    pattern: "\\S"
  })

/** A block by capability. */
export const byCapability = <A, I>(value: Schema.Schema<A, I>) =>
  named(value, {
    allows: isGrant,
    expected: "a capability such as `fs.read`, or `<name>:*` for everything below one",
    pattern: "^[^\\s*.:]+([.:][^\\s*.:]+)*(:\\*)?$"
  })

/** A block by path in the core, with slashes and without detours. */
export const byComponent = <A, I>(value: Schema.Schema<A, I>) =>
  named(value, {
    allows: (path) => !/[\p{Cc}\\]/u.test(path) && path.split("/").every((part) => !["", ".", ".."].includes(part)),
    expected: "a path in the core such as `agent/tools/note`",
    pattern: "^[^/\\\\]+(/[^/\\\\]+)*$"
  })

/** A block by name of an environment variable (POSIX 1003.1, 8.1: letters, digits, underscore, no digit first). */
export const byVariable = <A, I>(value: Schema.Schema<A, I>) =>
  named(value, {
    allows: (name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name),
    expected: "that of a variable: letters, digits and underscores, no digit first",
    pattern: "^[A-Za-z_][A-Za-z0-9_]*$"
  })

/** A block by name of an HTTP header (a token of RFC 9110, 5.6.2). */
export const byHeader = <A, I>(value: Schema.Schema<A, I>) =>
  named(value, {
    allows: (name) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name),
    expected: "that of a header: letters, digits and hyphens, no line break",
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"
  })

/** The value of a header: RFC 9110, 5.5 has no control characters but tabs, and bytes of one octet. */
export const HeaderValue = Schema.String.pipe(
  Schema.filter(
    (text) => /^[\t\u{20}-\u{7e}\u{80}-\u{ff}]*$/u.test(text),
    hints({ expected: "a text of one line that a header can hold" })
  )
)
