/** Conditions of standing answers, compiled once and checked against their own examples. */
import type { ApprovalSubject } from "@gatehouse/core/EffectPlan"
import type { Json } from "@gatehouse/core/Json"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Either from "effect/Either"
import picomatch from "picomatch"
import type { StandingCondition } from "./StandingAnswer.ts"

/** What a condition looks at: the plan's subject, what it is called, and the folder that the model works in. */
export interface ConditionFacts {
  readonly subject: ApprovalSubject
  readonly action: string
  readonly target: string
  readonly workspace: string
}

/** Whether a condition covers a call: `all` of it, which an `allow` needs, or `any` part, enough for a `deny`. */
export type CompiledCondition = (facts: ConditionFacts, extent: "all" | "any") => boolean

/** The condition, or what is wrong with it: a form that cannot be judged, or an example that comes out otherwise. */
export const compileCondition = (
  condition: StandingCondition,
  extent: "all" | "any"
): Either.Either<CompiledCondition, string> =>
  Either.flatMap(compile(condition), (covers) => {
    const examples = examplesOf(condition)
    const uncovered = examples.covers.findIndex((facts) => !covers(facts, extent))
    if (uncovered !== -1)
      return Either.left(`when.covers.${uncovered}: is not covered; correct the condition or the example`)
    const covered = examples.leaves.findIndex((facts) => covers(facts, extent))
    if (covered !== -1)
      return Either.left(`when.leaves.${covered}: is covered; narrow the condition or correct the example`)
    return Either.right(covers)
  })

/** Whether `pattern` names one file and nothing else. */
export const isLiteralPattern = (pattern: string): boolean => !/[*?]/.test(pattern)

/** What patterns may hold beside names: the braces, brackets and escapes of shells say more than people read in them. */
export const isPlainPattern = (pattern: string): boolean =>
  !/[[\]{}()!+@|\\\p{C}]/u.test(pattern) && !pattern.split("/").some((part) => part === "." || part === "..")

/** The path as patterns name it: below the workspace relative to it, elsewhere absolute. */
export const namedPath = (path: string, insideWorkspace: boolean, workspace: string): string =>
  insideWorkspace && path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path

type Kind<Name extends StandingCondition["kind"]> = Extract<StandingCondition, { readonly kind: Name }>

const compile = (condition: StandingCondition): Either.Either<CompiledCondition, string> => {
  switch (condition.kind) {
    case "path":
      return compilePath(condition)
    case "command":
      return Either.right(compileCommand(condition))
    case "mcp":
      return compileMcp(condition)
    case "target":
      return Either.right(
        ({ action, subject, target }) =>
          subject.kind === "other" && action === condition.action && target === condition.target
      )
  }
}

const compilePath = ({ pattern }: Kind<"path">): Either.Either<CompiledCondition, string> => {
  if (!isPlainPattern(pattern)) {
    return Either.left("when.pattern: takes names, `*`, `?` and `**` only, and no `.` or `..`; name the file in full")
  }
  const matches = picomatch(pattern, { dot: true, nobrace: true, noextglob: true, nonegate: true, windows: false })
  const literal = isLiteralPattern(pattern)
  return Either.right(({ subject, workspace }) => {
    if (subject.kind !== "path") return false
    // What is delicate is covered only where the owner named exactly it.
    if ((subject.sensitive || !subject.insideWorkspace) && !literal) return false
    const name = namedPath(subject.path, subject.insideWorkspace, workspace)
    return literal ? name === pattern : matches(name)
  })
}

const compileCommand =
  ({ commands }: Kind<"command">): CompiledCondition =>
  ({ subject }, extent) => {
    if (subject.kind !== "command" || subject.parts.length === 0) return false
    const isCovered = (part: ReadonlyArray<string>): boolean =>
      commands.some(
        ({ more, words }) =>
          (more ? part.length >= words.length : part.length === words.length) &&
          words.every((word, index) => part[index] === word)
      )
    return extent === "all" ? subject.literal === true && subject.parts.every(isCovered) : subject.parts.some(isCovered)
  }

const compileMcp = (condition: Kind<"mcp">): Either.Either<CompiledCondition, string> =>
  Either.map(
    Either.try({
      try: () => new Ajv2020({ strict: true, validateFormats: false }).compile(condition.arguments),
      catch: () => "when.arguments: is no JSON Schema (2020-12) that is understood in full; correct the keywords"
    }),
    (fits) =>
      ({ subject }) =>
        subject.kind === "mcp" && subject.server === condition.server && fits(subject.arguments)
  )

interface Examples {
  readonly covers: ReadonlyArray<ConditionFacts>
  readonly leaves: ReadonlyArray<ConditionFacts>
}

/** A folder for the examples of paths; any will do. */
const exampleWorkspace = "/workspace"

const examplesOf = (condition: StandingCondition): Examples => {
  const facts = (subject: ApprovalSubject, action = "", target = ""): ConditionFacts => ({
    subject,
    action,
    target,
    workspace: exampleWorkspace
  })
  switch (condition.kind) {
    case "path":
      return both(condition, (name: string) => {
        const insideWorkspace = !name.startsWith("/")
        const path = insideWorkspace ? `${exampleWorkspace}/${name}` : name
        return facts({ kind: "path", path, insideWorkspace, sensitive: false })
      })
    case "command":
      return both(condition, (parts: ReadonlyArray<ReadonlyArray<string>>) =>
        facts({ kind: "command", parts, blocked: false, literal: true })
      )
    case "mcp":
      return both(condition, (args: Json) =>
        facts({ kind: "mcp", server: condition.server, tool: "", arguments: args })
      )
    case "target":
      return both(condition, ({ action, target }: { readonly action: string; readonly target: string }) =>
        facts({ kind: "other" }, action, target)
      )
  }
}

const both = <Example>(
  { covers, leaves }: { readonly covers: ReadonlyArray<Example>; readonly leaves: ReadonlyArray<Example> },
  factsOf: (example: Example) => ConditionFacts
): Examples => ({ covers: covers.map(factsOf), leaves: leaves.map(factsOf) })
