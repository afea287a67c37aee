/** What all builtin tools share: settings may tighten them and never loosen, and their arguments have one definition. */
import { type EffectAdapter, opaque } from "@gatehouse/core/EffectAdapter"
import { type EffectPlan, PlanRefused } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import type { Policy } from "@gatehouse/core/Policy"
import type { Risk } from "@gatehouse/core/Risk"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { inputSchemaOf } from "./InputSchema.ts"

export interface BuiltinTool<Args, Encoded, Prepared> {
  readonly name: string
  readonly description: string
  readonly arguments: Schema.Schema<Args, Encoded>
  readonly capability: string | null
  readonly toolset: "coding" | "control"
  readonly risk: Risk
  /** What the tool asks for where nothing tightens it. */
  readonly policy: Policy
  readonly readOnly: boolean
  /** See {@link EffectAdapter.plan}; defaults are filled in. */
  readonly plan: (args: Args, turn: TurnContext) => EffectPlan<Prepared> | PlanRefused
  readonly run: EffectAdapter<Prepared>["run"]
}

/** The entry of one builtin tool. */
export const builtinEntry = <Args, Encoded, Prepared>(tool: BuiltinTool<Args, Encoded, Prepared>): SourceEntry => {
  const decode = Schema.decodeUnknownEither(tool.arguments)
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: inputSchemaOf(tool.arguments),
    capability: tool.capability,
    risk: tool.risk,
    policy: tool.policy,
    policyOrigin: "builtin",
    tightenOnly: true,
    readOnly: tool.readOnly,
    displayPolicy: "summary",
    modelOutputPolicy: "content",
    toolset: tool.toolset,
    provenance: `builtin ${tool.name}`,
    component: null,
    metadata: {},
    adapter: opaque<Prepared>({
      plan: (args, turn) => {
        const decoded = decode(args)
        return Either.isRight(decoded)
          ? tool.plan(decoded.right, turn)
          : new PlanRefused("invalid", "arguments", argumentFault(tool.name, decoded.left))
      },
      run: tool.run
    })
  }
}

/** Names the field, and never its value. */
const argumentFault = (tool: string, error: ParseResult.ParseError): string => {
  const [issue] = ParseResult.ArrayFormatter.formatErrorSync(error)
  const field = issue === undefined || issue.path.length === 0 ? "the arguments" : issue.path.join(".")
  return `${field}: does not fit the arguments of ${tool}; see its input schema`
}
