/**
 * Which standing answer, if any, answers a question. Pure.
 *
 * None ever answers what policy denies, a command that the review blocks, a call with secrets or whose answer may not
 * be kept, an evolution of the core, or a definition that changed. A command is allowed only if every part of it is
 * covered, and denied if any is; a denial goes before an allowance.
 */
import * as Either from "effect/Either"
import type { ApprovalQuestion } from "../Approvals.ts"
import { definitionFingerprint, needsDefinition } from "./DefinitionFingerprint.ts"
import { lastMoment, type StandingAnswer } from "./StandingAnswer.ts"
import { type CompiledCondition, compileCondition } from "./StandingConditions.ts"

export interface StandingVerdict {
  /** Counted from 1 in the order of the settings. */
  readonly number: number
  readonly answer: "allow" | "deny"
  readonly reason: string
}

/** How records name the one who answered. */
export const standingName = ({ number }: StandingVerdict): string => `standing answer ${number}`

/** Answers `question` at `now` (milliseconds since the epoch), or null: a person decides. */
export type StandingAnswers = (question: ApprovalQuestion, now: number) => StandingVerdict | null

/** A standing answer that does not hold together. `message` names the field and the remedy. */
export interface StandingRefused {
  readonly number: number
  readonly message: string
}

/** No standing answers. */
export const noStandingAnswers: StandingAnswers = () => null

/** Compiles all of them and tries each against its examples; the first that fails is told. */
export const compileStandingAnswers = (
  answers: ReadonlyArray<StandingAnswer>
): Either.Either<StandingAnswers, StandingRefused> => {
  const compiled: Array<CompiledAnswer> = []
  for (const [index, answer] of answers.entries()) {
    const one = compileAnswer(answer, index + 1)
    if (Either.isLeft(one)) return Either.left({ number: index + 1, message: `standing_answers.${index}.${one.left}` })
    compiled.push(one.right)
  }
  const inOrder = [
    ...compiled.filter(({ answer }) => answer === "deny"),
    ...compiled.filter(({ answer }) => answer === "allow")
  ]
  return Either.right((question, now) => {
    if (!mayStandingAnswer(question)) return null
    const found = inOrder.find((answer) => applies(answer, question, now))
    return found === undefined ? null : { number: found.number, answer: found.answer, reason: found.given.reason }
  })
}

/** Whether a question is of a kind that standing answers may answer at all. */
export const mayStandingAnswer = ({ entry, plan, policy }: ApprovalQuestion): boolean =>
  policy === "prompt" &&
  plan.policy !== "deny" &&
  plan.secrets.length === 0 &&
  plan.sessionCacheable &&
  !(plan.subject.kind === "command" && plan.subject.blocked) &&
  !evolutionTools.has(entry.name)

/** The builtins that change the core itself. */
const evolutionTools: ReadonlySet<string> = new Set(["evolve_core", "rollback_core"])

interface CompiledAnswer {
  readonly number: number
  readonly answer: "allow" | "deny"
  readonly given: StandingAnswer
  readonly ends: number
  readonly covers: CompiledCondition
}

const compileAnswer = (given: StandingAnswer, number: number): Either.Either<CompiledAnswer, string> => {
  const ends = lastMoment(given.until)
  if (ends === null) return Either.left("until: is no day as YYYY-MM-DD")
  if (needsDefinition(given.source) && given.definition === undefined) {
    const remedy = "add it with `gatehouse approvals standing add`, which writes it"
    return Either.left(`definition: is missing, and a tool of source ${given.source} may change; ${remedy}`)
  }
  return Either.map(compileCondition(given.when, extentOf(given)), (covers) => ({
    number,
    answer: given.answer,
    given,
    ends,
    covers
  }))
}

const extentOf = ({ answer }: StandingAnswer): "all" | "any" => (answer === "allow" ? "all" : "any")

const applies = (
  { covers, ends, given }: CompiledAnswer,
  { entry, plan, turn }: ApprovalQuestion,
  now: number
): boolean =>
  now < ends &&
  given.principal === turn.principal.id &&
  given.source === entry.source &&
  given.tool === (plan.subject.kind === "mcp" ? plan.subject.tool : entry.name) &&
  covers(
    { subject: plan.subject, action: plan.action, target: plan.target, workspace: turn.workspace },
    extentOf(given)
  ) &&
  (given.definition === undefined || given.definition === definitionFingerprint(entry))
