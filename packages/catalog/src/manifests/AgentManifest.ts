/** `agent.yaml`: what the author of a core selects, tightens and grants. */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import {
  byCapability,
  byComponent,
  byTool,
  CapabilityName,
  DisplayPolicyName,
  Line,
  ModelOutputPolicyName,
  PolicyName,
  RiskName,
  wholeNumber
} from "./FieldRules.ts"
import { compiled } from "./Pattern.ts"
import { FaultCodeHint, hints, optional, unset } from "./SchemaHints.ts"

/** Groups of builtins that a core can select. A tool joins its toolset when it exists. */
export const toolsets = ["coding", "control", "schedule"] as const

const Toolset = Schema.Literal(...toolsets).annotations({ [FaultCodeHint]: "unknown_toolset" })

const ToolMetadata = Schema.Struct({
  enabled: unset(Schema.Boolean, "`false` removes the tool from what the model sees and from what can be called."),
  risk: unset(RiskName, "How grave a call is. Builtins can be made graver, never lighter."),
  capability: unset(CapabilityName, "The capability that a call requires."),
  approval_policy: unset(PolicyName, "What happens before a call. Builtins can be made stricter, never laxer."),
  display_policy: unset(DisplayPolicyName, "How much of a result a person is shown."),
  model_output_policy: unset(ModelOutputPolicyName, "How much of a result the model is shown.")
})

const Grant = Schema.Struct({ scope: unset(Line, "What the grant is meant for, for people who read it.") })

const Approval = Schema.Struct({
  default: unset(PolicyName, "For every tool that no other setting here speaks of."),
  tools: optional(byTool(PolicyName), {}, "By tool. Settings only tighten: `auto` never drops a question."),
  capabilities: optional(byCapability(PolicyName), {}, "By required capability, or `tool.call:<tool>`."),
  risks: optional(
    Schema.Struct({
      low: unset(PolicyName, "For tools of low risk."),
      medium: unset(PolicyName, "For tools of medium risk."),
      high: unset(PolicyName, "For tools of high risk."),
      critical: unset(PolicyName, "For tools of critical risk.")
    }),
    {},
    "By risk."
  )
})

const Limits = Schema.Struct({
  wall_seconds: unset(wholeNumber(1, 120), "Seconds that one command may take."),
  cpu_seconds: unset(wholeNumber(1, 86_400), "Seconds of processor time for one process."),
  memory_mib: unset(wholeNumber(16, 1_048_576), "Address space of one process in MiB."),
  open_files: unset(wholeNumber(16, 1_048_576), "Files that one process may have open."),
  niceness: unset(wholeNumber(0, 19), "How far behind others a process stands for the processor.")
})

const Runtime = Schema.Struct({
  workspace: optional(
    Schema.NullOr(Line),
    null,
    "Folder that the model works in, from the core's; `null` leaves it to the host."
  ),
  max_model_steps: optional(wholeNumber(1, 90), 90, "Steps of the model in one turn."),
  limits: optional(Limits, {}, "Limits of one command; the host's own can be tighter."),
  sandbox: optional(Schema.Literal("none", "workspace"), "none", "What children run in; never replaced in silence."),
  mcp: optional(
    Schema.Struct({
      pin: optional(
        Schema.Literal("warn", "strict"),
        "warn",
        "What a changed definition of an MCP tool means: shown as a difference, or withheld until approved."
      )
    }),
    { pin: "warn" },
    "MCP servers of this core."
  )
})

/** A host name, or `*.` and one for everything below it (not the name itself). */
const HostPattern = Schema.String.pipe(
  Schema.filter(
    (text) => /^(\*\.)?[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i.test(text),
    hints({
      expected: "a host name such as `example.org`, or `*.example.org` for every name below it",
      jsonSchema: { pattern: "^(\\*\\.)?[A-Za-z0-9.-]+$" }
    })
  )
)

/** A regular expression (flag `u`) that needs some text to match: one that matches nothing would hide everything. */
const RedactionPattern = Schema.String.pipe(
  Schema.filter(
    (source) => source.length <= 512 && compiled(source).pipe(Option.exists((rule) => !rule.test(""))),
    hints({ expected: "a regular expression of 1 to 512 characters that matches some text" })
  )
)

const Network = Schema.Struct({
  allow_hosts: optional(Schema.Array(HostPattern), [], "Hosts that may be reached; none listed means all public ones."),
  deny_hosts: optional(Schema.Array(HostPattern), [], "Hosts that may not be reached. Denial wins.")
})

const Redaction = Schema.Struct({
  field_names: optional(Schema.Array(Line), [], "Names of fields whose values are hidden, beside the built-in ones."),
  patterns: optional(Schema.Array(RedactionPattern), [], "Texts that are hidden wherever they occur.")
})

/** The schema that reads `agent.yaml`. */
export const AgentManifest = Schema.Struct({
  schema_version: optional(Schema.Literal(1), 1, "The version of this format."),
  agent: Schema.Struct({
    id: Line.annotations({ description: "Name of the agent." }),
    summary: optional(Schema.String, "", "What the agent is for, in a sentence.")
  }).annotations({ description: "Who the agent is." }),
  tools: optional(
    Schema.Struct({
      toolsets: optional(Schema.Array(Toolset), [], "Groups of builtins that the model gets."),
      metadata: optional(byTool(ToolMetadata), {}, "By tool: what differs from what the tool brings along.")
    }),
    { toolsets: [], metadata: {} },
    "What the model is given."
  ),
  capabilities: optional(
    Schema.Struct({
      defaults: optional(byCapability(Grant), {}, "Grants to everything in the core."),
      slots: optional(byComponent(byCapability(Grant)), {}, "Grants to one component only, by its path in the core.")
    }),
    { defaults: {}, slots: {} },
    "What the core grants; nothing is granted by declaration."
  ),
  approval: optional(
    Approval,
    { tools: {}, capabilities: {}, risks: {} },
    "What has to be asked before. Settings only tighten."
  ),
  runtime: optional(
    Runtime,
    { workspace: null, max_model_steps: 90, limits: {}, sandbox: "none", mcp: { pin: "warn" } },
    "How turns of this agent run."
  ),
  network: optional(Network, { allow_hosts: [], deny_hosts: [] }, "Which hosts effects may reach; only tightens."),
  redaction: optional(Redaction, { field_names: [], patterns: [] }, "What is hidden beside the built-in rules.")
}).annotations({ title: "Gatehouse agent", description: "An agent core: what it selects, tightens and grants." })

/** A read `agent.yaml`, defaults filled in; fields are named as in the file. */
export type AgentManifest = Schema.Schema.Type<typeof AgentManifest>
