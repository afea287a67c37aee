/** `gatehouse approvals standing`: the answers that the owner of a host gives in advance. */

import { join } from "node:path"
import { isJsonObject, type Json } from "@gatehouse/core/Json"
import { lastMoment, type StandingAnswer } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import { inertJson } from "@gatehouse/policy/redaction/TerminalText"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { changeStandingAnswers } from "../../settings/ChangeSettings.boundary.ts"
import { settingsFileName } from "../../settings/HostSettings.ts"
import { dayAfter, defaultStandingDays, keepStandingAnswer } from "../../settings/NewStandingAnswer.ts"
import { type HostSettingsError, readHostSettings } from "../../settings/ReadHostSettings.boundary.ts"
import { standingAnswerText, withoutStandingAnswer } from "../../settings/StandingText.ts"
import { callInput } from "../CallInput.ts"
import { withCallKind } from "../CallKind.ts"
import { CommandFailed } from "../ExitStatus.ts"
import { homeFolder, type Places } from "../GlobalOptions.ts"
import { readInput } from "../Input.boundary.ts"
import { Invocation } from "../Invocation.ts"
import { confirm } from "../Keys.ts"
import { Output } from "../Output.ts"
import { renderStandingLooks } from "../render/Explanation.ts"
import { renderStandingAnswers } from "../render/StandingAnswers.ts"
import { candidateFromQuestion, candidateFromTool } from "../standing/Candidate.ts"
import { type TypedCondition, typedCondition } from "../standing/Condition.ts"

interface StandingArguments {
  readonly home: Option.Option<string>
  readonly json: boolean
}

/** Shows every answer with its number, whether it has ended, and what it is for. */
export const runStandingList = Effect.fn("gatehouse approvals standing list")(function* (args: StandingArguments) {
  const output = yield* Output
  const root = homeFolder(args.home, yield* Invocation)
  const { settings } = yield* Effect.mapError(readHostSettings(root), refused)
  const now = yield* Clock.currentTimeMillis
  const answers = settings.standing_answers
  if (args.json) {
    const listed = answers.map((answer, index) => ({ number: index + 1, ended: hasEnded(answer, now), ...answer }))
    return yield* output.result(inertJson(listed, 2))
  }
  yield* output.result(
    answers.length === 0
      ? `no standing answers in ${join(root, settingsFileName)}`
      : renderStandingAnswers(answers, now, output)
  )
})

/** Removes one by its number; the others keep their order, and those behind it move up. */
export const runStandingRemove = Effect.fn("gatehouse approvals standing remove")(function* (
  args: StandingArguments & { readonly number: number }
) {
  const output = yield* Output
  const root = homeFolder(args.home, yield* Invocation)
  const { settings } = yield* Effect.mapError(readHostSettings(root), refused)
  const removed = settings.standing_answers[args.number - 1]
  if (removed === undefined) {
    return yield* new CommandFailed({
      status: "not_found",
      message: `there is no standing answer ${args.number}`,
      remedy: "`gatehouse approvals standing list` shows their numbers"
    })
  }
  yield* Effect.mapError(
    changeStandingAnswers(root, (text) => withoutStandingAnswer(text, args.number)),
    refused
  )
  yield* output.result(
    args.json
      ? JSON.stringify({ removed: args.number, answer: removed })
      : `removed standing answer ${args.number}:\n${indented(standingAnswerText(removed))}`
  )
})

/** What is typed for a new answer. */
export interface StandingAddArguments extends Places {
  readonly json: boolean
  readonly tool: Option.Option<string>
  /** A question, by its id. */
  readonly from: Option.Option<string>
  readonly condition: TypedCondition
  readonly deny: boolean
  readonly principal: Option.Option<string>
  readonly reason: string
  /** The last day; by default {@link defaultStandingDays} from now. */
  readonly until: Option.Option<string>
  /** Keeps it without asking. */
  readonly yes: boolean
}

/** Shows what it would keep, asks, and keeps it. */
export const runStandingAdd = Effect.fn("gatehouse approvals standing add")(function* (args: StandingAddArguments) {
  const output = yield* Output
  const root = homeFolder(args.home, yield* Invocation)
  const answer = yield* newAnswer(args)
  const text = standingAnswerText(answer)
  if (!args.yes) {
    yield* output.note(`would be kept in ${join(root, settingsFileName)}:\n${indented(text)}`)
    if (!output.interactive) {
      return yield* new CommandFailed({
        status: "invalid",
        message: "nobody can be asked here; nothing was written",
        remedy: "read it, and add --yes"
      })
    }
    if (!(yield* confirm("keep it?"))) {
      return yield* new CommandFailed({ status: "cancelled", message: "nothing was written", remedy: "" })
    }
  }
  const number = yield* Effect.mapError(keepStandingAnswer(root, answer), refused)
  yield* output.result(
    args.json
      ? JSON.stringify({ number, answer })
      : `kept as standing answer ${number}${args.yes ? `:\n${indented(text)}` : ""}`
  )
})

const newAnswer = Effect.fnUntraced(function* (args: StandingAddArguments) {
  const { from, tool } = args
  const principal = Option.getOrNull(args.principal)
  if (Option.isSome(from) === Option.isSome(tool)) {
    return yield* invalid(
      "name a tool, or a question with --from, and not both",
      "gatehouse approvals standing add --help"
    )
  }
  const candidate = Option.isSome(from)
    ? yield* candidateFromQuestion(from.value, args)
    : yield* candidateFromTool(
        Option.getOrElse(tool, () => ""),
        principal,
        args
      )
  const typed = yield* Effect.mapError(
    Effect.suspend(() => typedCondition(args.condition, candidate.suggested)),
    (message) => new CommandFailed({ status: "invalid", message, remedy: conditionHelp })
  )
  const when = typed ?? candidate.suggested
  if (when === null) return yield* invalid("a condition is missing", conditionHelp)
  const until =
    Option.getOrElse(args.until, () => null) ?? dayAfter(yield* Clock.currentTimeMillis, defaultStandingDays)
  const answer: StandingAnswer = {
    answer: args.deny ? "deny" : "allow",
    principal: principal ?? candidate.principal,
    source: candidate.source,
    tool: candidate.tool,
    when,
    ...(candidate.definition === null ? {} : { definition: candidate.definition }),
    reason: args.reason,
    until
  }
  return answer
})

const conditionHelp =
  "give --command TEXT or --prefix WORDS, --path PATTERN, --arguments SCHEMA, or --action VERB and --target TEXT"

/** Which answer would answer a call, and why the others would not. */
export const runStandingTest = Effect.fn("gatehouse approvals standing test")(function* (
  args: Places & { readonly tool: string; readonly args: string; readonly as: string; readonly json: boolean }
) {
  const output = yield* Output
  const given = yield* callInput(args.args === "-" ? yield* readInput("-") : args.args)
  const answer = yield* withCallKind(args, (kind) =>
    Effect.mapError(
      kind.decide({ tool: args.tool, arguments: given, as: args.as }),
      ({ message }) => new CommandFailed({ status: "invalid", message, remedy: "" })
    )
  )
  yield* output.result(args.json ? JSON.stringify(standingPart(answer)) : renderStandingLooks(answer, output))
})

const standingPart = (answer: Json): Json => {
  if (!isJsonObject(answer)) return answer
  const { decision = null, standing = [], standing_answer = null, status = null, tool = null } = answer
  return { tool, decision, status, standing_answer, standing }
}

const hasEnded = ({ until }: StandingAnswer, now: number): boolean => now >= (lastMoment(until) ?? 0)

const indented = (text: string): string => text.replace(/^/gm, "  ")

const refused = ({ message, remedy }: HostSettingsError): CommandFailed =>
  new CommandFailed({ status: "invalid", message, remedy })

const invalid = (message: string, remedy: string): CommandFailed =>
  new CommandFailed({ status: "invalid", message, remedy })
