/** The policy of one call, by what its own checks found: a reviewed command, a judged path. */
import type { Json } from "@gatehouse/core/Json"
import type { Policy } from "@gatehouse/core/Policy"
import type { Risk } from "@gatehouse/core/Risk"
import { type CallPolicy, callPolicy } from "@gatehouse/policy/approvals/CallPolicy"
import { pathApproval } from "@gatehouse/policy/approvals/PathApproval"
import { mergePolicy } from "@gatehouse/policy/approvals/PolicyMerge"
import { type TerminalApproval, terminalApproval } from "@gatehouse/policy/approvals/TerminalApproval"
import * as Schema from "effect/Schema"
import { MetadataCase, placedMetadata, placedSettings, RiskWord, settingsFields } from "./SettingsCase.ts"

const falseByDefault = Schema.optionalWith(Schema.Boolean, { default: () => false })
const metadata = Schema.optionalWith(MetadataCase, { default: () => ({}) })

export const TerminalCase = Schema.Struct({
  case: Schema.Literal("terminal"),
  review: Schema.Struct({
    decision: Schema.Literal("allow", "prompt", "block"),
    risk: Schema.optional(RiskWord),
    class: Schema.optional(Schema.String)
  }),
  env_overlay: falseByDefault,
  secret_bindings: falseByDefault,
  metadata,
  ...settingsFields
})

/** The risk that a review without one has: `allow` is always low and `block` critical. */
const impliedRisk = { allow: "low", prompt: "high", block: "critical" } as const

export const decideTerminal = (question: typeof TerminalCase.Type): Json => {
  const { decision, risk = impliedRisk[decision] } = question.review
  const asked = terminalApproval({
    review: { decision, risk },
    overlay: question.env_overlay,
    secrets: question.secret_bindings
  })
  return callAnswer(terminalPolicy(question, asked), asked.sessionCacheable)
}

/** What holds for a terminal call that asks for `asked`. */
export const terminalPolicy = (settings: SettingsOf, asked: Pick<TerminalApproval, "policy" | "risk">): CallPolicy =>
  builtinPolicy({ name: "terminal", capability: "terminal.exec", policy: "auto", risk: "low" }, settings, asked)

const readers: ReadonlySet<string> = new Set(["read_file", "list_files", "search_files"])

export const PathCase = Schema.Struct({
  case: Schema.Literal("path"),
  tool: Schema.String,
  path: Schema.Struct({ inside_workspace: Schema.Boolean, sensitive: Schema.Boolean }),
  metadata,
  ...settingsFields
})

export const decidePath = (question: typeof PathCase.Type): Json => {
  const { path, tool } = question
  const place = { insideWorkspace: path.inside_workspace, sensitive: path.sensitive }
  const held = readers.has(tool)
    ? builtinPolicy(
        { name: tool, capability: "fs.read", policy: "auto", risk: "low" },
        question,
        pathApproval("read", place, "low")
      )
    : builtinPolicy(
        { name: tool, capability: "fs.write", policy: "prompt", risk: "medium" },
        question,
        pathApproval("write", place, "medium")
      )
  return callAnswer(held, true)
}

type SettingsOf = Parameters<typeof placedSettings>[0] & {
  readonly metadata: typeof MetadataCase.Type
}

const builtinPolicy = (
  entry: { readonly name: string; readonly capability: string; readonly policy: Policy; readonly risk: Risk },
  question: SettingsOf,
  asked: Pick<TerminalApproval, "policy" | "risk">
): CallPolicy => {
  const settings = placedSettings(question)
  const capability = question.metadata.capability === undefined ? entry.capability : question.metadata.capability
  const merged = mergePolicy({
    source: "builtin",
    tool: entry.name,
    capability,
    registryCapability: entry.capability,
    registryPolicy: entry.policy,
    registryRisk: entry.risk,
    registryOrigin: `builtin ${entry.name}`,
    tightenOnly: true,
    metadata: placedMetadata(question.metadata),
    ...settings
  })
  return callPolicy({
    entry: {
      name: entry.name,
      capability,
      risk: merged.risk,
      policy: { effective: merged.policy, decidedBy: merged.decidedBy }
    },
    plan: { ...asked, because: [] },
    ...settings
  })
}

const callAnswer = ({ decidedBy, policy, risk }: CallPolicy, sessionCacheable: boolean): Json => ({
  policy,
  risk,
  decided_by: decidedBy,
  session_cacheable: sessionCacheable,
  approver_asked: policy === "prompt"
})
