/** The arguments of a call as they are typed: one JSON object within bounds, no field said twice. */
import { freezeJson, isJsonObject, type JsonObject } from "@gatehouse/core/Json"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { visit } from "jsonc-parser"
import { CommandFailed } from "./ExitStatus.ts"

/**
 * `text` as arguments. `JSON.parse` keeps the last of two fields of one name and says nothing; what a person approves
 * must be what runs, so here it is refused.
 */
export const parseCallInput = (text: string): Either.Either<JsonObject, CommandFailed> =>
  Either.gen(function* () {
    const parsed = yield* Either.try({
      try: (): unknown => JSON.parse(text),
      catch: (error) =>
        refused(
          `the arguments are no JSON: ${error instanceof SyntaxError ? withoutText(error.message) : "unknown fault"}`
        )
    })
    const frozen = yield* Either.mapLeft(freezeJson(parsed), ({ path, reason }) =>
      refused(`the arguments cannot be taken: ${path === "" ? "the whole" : path} ${reason}`)
    )
    if (!isJsonObject(frozen)) return yield* Either.left(refused("the arguments are no JSON object"))
    const twice = fieldSaidTwice(text)
    return twice === null ? frozen : yield* Either.left(refused(`the arguments name the field ${twice} twice`))
  })

/** Dotted path of the first field that one object names twice; null where there is none. */
const fieldSaidTwice = (text: string): string | null => {
  const seen: Array<Set<string>> = []
  let found: string | null = null
  visit(text, {
    onObjectBegin: () => void seen.push(new Set()),
    onObjectEnd: () => void seen.pop(),
    onObjectProperty: (name, _offset, _length, _line, _character, path) => {
      const names = seen.at(-1)
      if (names?.has(name) === true) found ??= [...path(), name].join(".")
      names?.add(name)
    }
  })
  return found
}

/** V8 repeats a piece of the text in its message, and the text may hold a secret. */
const withoutText = (message: string): string => message.replace(/,? ?(?:\.\.\.)?".*$/s, "")

const refused = (message: string): CommandFailed =>
  new CommandFailed({
    status: "invalid",
    message,
    remedy: `give one JSON object, as '{"path":"README.md"}', or - for standard input`
  })

/** {@link parseCallInput} for commands. */
export const callInput = (text: string): Effect.Effect<JsonObject, CommandFailed> =>
  Effect.suspend(() => parseCallInput(text))
