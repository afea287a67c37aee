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
  /** Dotted, within the answer: `when.covers.0`. */
  readonly field: string
  readonly message: string
}

/** What one standing answer makes of a question. */
export interface StandingLook extends StandingVerdict {
  /** Why it does not answer; null where it would. */
  readonly whyNot: string | null
}

/** No standing answers. */
export const noStandingAnswers: StandingAnswers = () => null

/** Compiles all of them and tries each against its examples; the first that fails is told. */
export const compileStandingAnswers = (
  answers: ReadonlyArray<StandingAnswer>
): Either.Either<StandingAnswers, StandingRefused> =>
  Either.map(compileAll(answers), (inOrder) => (question, now) => {
    if (!mayStandingAnswer(question)) return null
    const found = inOrder.find((answer) => whyNot(answer, question, now) === null)
    return found === undefined ? null : verdictOf(found)
  })

/**
 * What each answer makes of a question, in the order in which they are asked: the first without a reason against it
 * answers. The same code as {@link compileStandingAnswers}, for "why?".
 */
export const explainStandingAnswers = (
  answers: ReadonlyArray<StandingAnswer>
): Either.Either<(question: ApprovalQuestion, now: number) => ReadonlyArray<StandingLook>, StandingRefused> =>
  Either.map(compileAll(answers), (inOrder) => (question, now) => {
    const bar = standingBar(question)
    return inOrder.map((answer) => ({ ...verdictOf(answer), whyNot: bar ?? whyNot(answer, question, now) }))
  })

/** Whether a question is of a kind that standing answers may answer at all. */
export const mayStandingAnswer = (question: ApprovalQuestion): boolean => standingBar(question) === null

/** Why no standing answer, whatever it says, may answer a question; null where one may. */
export const standingBar = ({ entry, plan, policy }: ApprovalQuestion): string | null => {
  if (policy === "auto") return "nothing is asked"
  if (policy === "deny" || plan.policy === "deny") return "policy denies the call"
  if (plan.subject.kind === "command" && plan.subject.blocked) return "the review blocks the command"
  if (plan.secrets.length > 0) return "the call binds secrets, and each of them is asked about"
  if (!plan.sessionCacheable) return "a yes to this call is for once only"
  return evolutionTools.has(entry.name) ? "a change of the core is asked about each time" : null
}

/** The builtins that change the core itself. */
const evolutionTools: ReadonlySet<string> = new Set(["evolve_core", "rollback_core"])

interface CompiledAnswer {
  readonly number: number
  readonly answer: "allow" | "deny"
  readonly given: StandingAnswer
  readonly ends: number
  readonly covers: CompiledCondition
}

const verdictOf = ({ answer, given, number }: CompiledAnswer): StandingVerdict => ({
  number,
  answer,
  reason: given.reason
})

/** In the order in which they are asked: denials first. */
const compileAll = (
  answers: ReadonlyArray<StandingAnswer>
): Either.Either<ReadonlyArray<CompiledAnswer>, StandingRefused> => {
  const compiled: Array<CompiledAnswer> = []
  for (const [index, answer] of answers.entries()) {
    const one = compileAnswer(answer, index + 1)
    if (Either.isLeft(one)) return Either.left(refusedAnswer(index, one.left))
    compiled.push(one.right)
  }
  return Either.right([
    ...compiled.filter(({ answer }) => answer === "deny"),
    ...compiled.filter(({ answer }) => answer === "allow")
  ])
}

/** Every fault begins with the field that it is about. */
const refusedAnswer = (index: number, fault: string): StandingRefused => ({
  number: index + 1,
  field: fault.slice(0, fault.indexOf(":")),
  message: `standing_answers.${index}.${fault}`
})

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

/** The first thing that keeps an answer from answering `question`; null where nothing does. */
const whyNot = (
  { covers, ends, given }: CompiledAnswer,
  { entry, plan, turn }: ApprovalQuestion,
  now: number
): string | null => {
  const tool = plan.subject.kind === "mcp" ? plan.subject.tool : entry.name
  if (now >= ends) return `it ended with ${given.until}`
  if (given.principal !== turn.principal.id) return "it is for another principal"
  if (given.source !== entry.source) return `it is for source ${given.source}`
  if (given.tool !== tool) return `it is for tool ${given.tool}`
  if (given.definition !== undefined && given.definition !== definitionFingerprint(entry)) {
    return "the tool's definition changed since it was given"
  }
  const facts = { subject: plan.subject, action: plan.action, target: plan.target, workspace: turn.workspace }
  return covers(facts, extentOf(given)) ? null : `its condition (${given.when.kind}) does not cover the call`
}
