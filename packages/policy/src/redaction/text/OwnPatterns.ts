/** A team's own patterns: regular expressions, checked before they are used on everything that a host shows. */
import * as Either from "effect/Either"

const longestPattern = 500

/** A quantified group that holds a quantifier of its own may take exponential time: `(a+)+`. */
const nestedQuantifier = /\((?:[^()\\]|\\.)*[*+}](?:[^()\\]|\\.)*\)(?:[*+]|\{\d+,)/
const backReference = /\\(?:[1-9]|k<)/

/**
 * The expression of `pattern`, or why it is refused, in words that name the remedy.
 *
 * @example
 * ownPattern("ACME-[0-9]{6}") // Right(/ACME-[0-9]{6}/gu)
 * ownPattern("(a+)+")         // Left("repeats a group that repeats itself: write it without one of both")
 */
export const ownPattern = (pattern: string): Either.Either<RegExp, string> => {
  if (pattern.length > longestPattern) return Either.left(`is longer than ${longestPattern} characters: shorten it`)
  if (nestedQuantifier.test(pattern)) {
    return Either.left("repeats a group that repeats itself: write it without one of both")
  }
  if (backReference.test(pattern)) return Either.left("refers back to a group: write out what it matches")
  return Either.flatMap(compiled(pattern), (expression) =>
    expression.test("")
      ? Either.left("matches the empty text: let it match one character at least")
      : Either.right(new RegExp(expression.source, "gu"))
  )
}

const compiled = (pattern: string): Either.Either<RegExp, string> =>
  Either.try({
    try: () => new RegExp(pattern, "u"),
    catch: () => "is no regular expression of JavaScript with the u flag: mend it"
  })
