/** The condition of a new standing answer, from what was typed: one kind, with examples of both sorts. Pure. */
import { freezeJson, isJsonObject, type Json } from "@gatehouse/core/Json"
import type { StandingCondition } from "@gatehouse/policy/approvals/standing/StandingAnswer"
import { isLiteralPattern } from "@gatehouse/policy/approvals/standing/StandingConditions"
import { noLookups } from "@gatehouse/policy/commands/CommandLookups"
import { programKnowledge } from "@gatehouse/policy/commands/ProgramKnowledge"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import { reviewCommand, textQuestion } from "@gatehouse/policy/commands/ReviewCommand"
import * as Either from "effect/Either"

/** What was typed. Lists are empty and texts null where nothing was. */
export interface TypedCondition {
  /** Whole commands, and words that commands may begin with. */
  readonly commands: ReadonlyArray<string>
  readonly prefixes: ReadonlyArray<string>
  readonly path: string | null
  readonly server: string | null
  /** A JSON Schema, as text. */
  readonly arguments: string | null
  readonly action: string | null
  readonly target: string | null
  /** Examples, in the form of the condition: a command, a path, arguments as JSON, a target. */
  readonly covers: ReadonlyArray<string>
  readonly leaves: ReadonlyArray<string>
}

/**
 * The condition that `typed` describes; null where it describes none. `suggested` is the one of a question: it gives the
 * server, the action and the target that were not typed.
 */
export const typedCondition = (
  typed: TypedCondition,
  suggested: StandingCondition | null
): Either.Either<StandingCondition | null, string> => {
  const kinds = [
    ...(typed.commands.length + typed.prefixes.length > 0 ? [commandCondition] : []),
    ...(typed.path === null ? [] : [pathCondition]),
    ...(typed.arguments === null ? [] : [mcpCondition]),
    ...(typed.target === null ? [] : [targetCondition])
  ]
  const [only, other] = kinds
  if (other !== undefined)
    return Either.left("a condition is of one kind; give --command and --prefix, --path, --arguments, or --target")
  if (only !== undefined) return only(typed, suggested)
  return typed.covers.length + typed.leaves.length > 0
    ? Either.left("--covers and --leaves are examples of a condition that is typed; give it too")
    : Either.right(null)
}

type Condition = Either.Either<StandingCondition, string>
type Words = readonly [string, ...Array<string>]

const commandCondition = (typed: TypedCondition): Condition =>
  Either.gen(function* () {
    const whole = yield* each(typed.commands, (text) => partsOf("--command", text))
    const leading = yield* each(typed.prefixes, (text) => partsOf("--prefix", text))
    const commands = yield* nonEmpty("--command", [
      ...whole.flat().map((words) => ({ words, more: false })),
      ...leading.flat().map((words) => ({ words, more: true }))
    ])
    const narrow = typed.prefixes.length === 0
    const [first] = commands
    const covers = yield* examples(typed.covers, "--covers", (text) => partsOf("--covers", text), narrow ? whole : [])
    const leaves = yield* examples(
      typed.leaves,
      "--leaves",
      (text) => partsOf("--leaves", text),
      narrow ? [[[...first.words, "more"] as const]] : []
    )
    return { kind: "command", commands, covers, leaves }
  })

const pathCondition = ({ covers, leaves, path }: TypedCondition): Condition =>
  Either.gen(function* () {
    const pattern = path ?? ""
    if (pattern === "") return yield* Either.left("--path: is empty; name a file, or a pattern with `*`, `?` and `**`")
    const narrow = isLiteralPattern(pattern)
    return {
      kind: "path",
      pattern,
      covers: yield* examples(covers, "--covers", Either.right, narrow ? [pattern] : []),
      leaves: yield* examples(leaves, "--leaves", Either.right, narrow ? [`${pattern}.other`] : [])
    }
  })

const mcpCondition = (typed: TypedCondition, suggested: StandingCondition | null): Condition =>
  Either.gen(function* () {
    const server = typed.server ?? (suggested?.kind === "mcp" ? suggested.server : null)
    if (server === null || server === "") return yield* Either.left("--server: is missing; name the server of the tool")
    const schema = yield* parse("--arguments", typed.arguments ?? "")
    if (!isJsonObject(schema)) return yield* Either.left("--arguments: is no JSON Schema; give an object")
    return {
      kind: "mcp",
      server,
      arguments: schema,
      covers: yield* examples(typed.covers, "--covers", (text) => parse("--covers", text), []),
      leaves: yield* examples(typed.leaves, "--leaves", (text) => parse("--leaves", text), [])
    }
  })

const targetCondition = (typed: TypedCondition, suggested: StandingCondition | null): Condition =>
  Either.gen(function* () {
    const action = typed.action ?? (suggested?.kind === "target" ? suggested.action : null)
    const target = typed.target ?? ""
    if (action === null || action === "")
      return yield* Either.left("--action: is missing; `gatehouse check call` shows the action of a call")
    const of = (text: string) => Either.right({ action, target: text })
    return {
      kind: "target",
      action,
      target,
      covers: yield* examples(typed.covers, "--covers", of, [{ action, target }]),
      leaves: yield* examples(typed.leaves, "--leaves", of, [{ action, target: `${target} other` }])
    }
  })

const knowledge = programKnowledge(programs)

/** The parts of a command as the review sees them: what a standing answer has to cover, all of it. */
const partsOf = (option: string, text: string): Either.Either<readonly [Words, ...Array<Words>], string> => {
  const parts = reviewCommand(textQuestion(text), knowledge, noLookups).parts.flatMap(([program, ...rest]) =>
    program === undefined ? [] : [[program, ...rest] as const]
  )
  const [first, ...others] = parts
  return first === undefined
    ? Either.left(`${option}: is no command of literal words, which alone can be covered in advance; write it out`)
    : Either.right([first, ...others])
}

const parse = (option: string, text: string): Either.Either<Json, string> =>
  Either.flatMap(Either.try({ try: (): unknown => JSON.parse(text), catch: () => `${option}: is no JSON` }), (value) =>
    Either.mapLeft(freezeJson(value), ({ reason }) => `${option}: ${reason}`)
  )

/** The examples that were typed, else those that a narrow condition brings along; a wide one has to be shown. */
const examples = <A>(
  typed: ReadonlyArray<string>,
  option: string,
  read: (text: string) => Either.Either<A, string>,
  otherwise: ReadonlyArray<A>
): Either.Either<readonly [A, ...Array<A>], string> =>
  Either.flatMap(each(typed, read), (given) => nonEmpty(option, given.length > 0 ? given : otherwise))

const each = <A>(
  texts: ReadonlyArray<string>,
  read: (text: string) => Either.Either<A, string>
): Either.Either<ReadonlyArray<A>, string> => Either.all(texts.map(read))

const nonEmpty = <A>(option: string, values: ReadonlyArray<A>): Either.Either<readonly [A, ...Array<A>], string> => {
  const [first, ...others] = values
  return first === undefined
    ? Either.left(
        `${option}: is missing; a condition that covers more than one call needs examples of what it covers and what not`
      )
    : Either.right([first, ...others])
}
