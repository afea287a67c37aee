/** "Always for …": the narrowest standing answer that a question suggests, to be shown before it is kept. */
import type { Json } from "@gatehouse/core/Json"
import type { ApprovalQuestion } from "../Approvals.ts"
import { definitionFingerprint, needsDefinition } from "./DefinitionFingerprint.ts"
import type { StandingAnswer, StandingCondition } from "./StandingAnswer.ts"
import { mayStandingAnswer } from "./StandingAnswers.ts"
import { isLiteralPattern, isPlainPattern, namedPath } from "./StandingConditions.ts"

export interface StandingSuggestion {
  /** For people: `always for npm test`. */
  readonly label: string
  /** All but the reason and the last day, which the owner gives. */
  readonly answer: Omit<StandingAnswer, "reason" | "until">
}

/** UTF-16 units of a condition as JSON that is suggested at most: nobody reads more before saying "always". */
export const suggestionLimit = 2_000

/**
 * Suggests an answer for this call and nothing wider: this file, this whole command, these arguments, this target. Null
 * where a standing answer may not answer, where its condition is longer than {@link suggestionLimit}, or where it would
 * have to hold something that is not shown: `isPlain` says whether a text passes redaction unchanged.
 */
export const suggestStanding = (
  question: ApprovalQuestion,
  isPlain: (text: string) => boolean
): StandingSuggestion | null => {
  if (!mayStandingAnswer(question)) return null
  const found = narrowest(question)
  if (found === null) return null
  const condition = JSON.stringify(found.when)
  if (condition.length > suggestionLimit || !isPlain(condition)) return null
  const { entry, plan, turn } = question
  return {
    label: `always for ${found.label}`,
    answer: {
      answer: "allow",
      principal: turn.principal.id,
      source: entry.source,
      tool: plan.subject.kind === "mcp" ? plan.subject.tool : entry.name,
      when: found.when,
      ...(needsDefinition(entry.source) ? { definition: definitionFingerprint(entry) } : {})
    }
  }
}

interface Narrowest {
  readonly label: string
  readonly when: StandingCondition
}

const narrowest = ({ plan, turn }: ApprovalQuestion): Narrowest | null => {
  const { subject } = plan
  switch (subject.kind) {
    case "path":
      return subject.sensitive || !subject.insideWorkspace
        ? null
        : forPath(namedPath(subject.path, true, turn.workspace))
    case "command":
      return subject.literal === true ? forCommand(subject.parts) : null
    case "mcp":
      return forArguments(subject.server, subject.tool, subject.arguments)
    case "other":
      return forTarget(plan.action, plan.target)
  }
}

const forPath = (name: string): Narrowest | null =>
  name.startsWith("/") || !isLiteralPattern(name) || !isPlainPattern(name)
    ? null
    : { label: name, when: { kind: "path", pattern: name, covers: [name], leaves: [`${name}.other`] } }

const forCommand = (parts: ReadonlyArray<ReadonlyArray<string>>): Narrowest | null => {
  const commands = parts.flatMap(([program, ...rest]) => (program === undefined ? [] : [[program, ...rest] as const]))
  const [first, ...others] = commands
  if (first === undefined || commands.length !== parts.length) return null
  return {
    label: commands.map((words) => words.join(" ")).join(", "),
    when: {
      kind: "command",
      commands: [{ words: first, more: false }, ...others.map((words) => ({ words, more: false }))],
      covers: [[first, ...others]],
      leaves: [[[...first, "more"]]]
    }
  }
}

const forArguments = (server: string, tool: string, args: Json): Narrowest => ({
  label: `${tool} of ${server} with these arguments`,
  when: { kind: "mcp", server, arguments: { const: args }, covers: [args], leaves: [[args]] }
})

/** A target that was cut may be the beginning of many. */
const forTarget = (action: string, target: string): Narrowest | null => {
  if (target.endsWith("…")) return null
  const leaves = [{ action, target: `${target} other` }] as const
  return {
    label: `${action} ${target}`,
    when: { kind: "target", action, target, covers: [{ action, target }], leaves }
  }
}
