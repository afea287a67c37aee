/**
 * Globs over paths below the searched folder: `*` and `?` within a name, `**` over folders, `{a,b}` alternatives; a
 * glob without a slash is about names alone. Matching takes time in proportion to glob and path, whatever both are: a
 * glob comes from a model, and one that becomes a backtracking expression could stop the host.
 */

/** Alternatives that the braces of one glob may stand for. */
const alternativeLimit = 64

/** A test for paths with `/` between their parts. Braces beyond the limit are taken literally. */
export const globMatcher = (glob: string): ((path: string) => boolean) => {
  const alternatives = expandBraces(glob).map((text) => text.replace(/^\.?\//, "").split("/"))
  const namesOnly = !glob.includes("/")
  return (path) => {
    const parts = path.split("/")
    return alternatives.some((pattern) =>
      namesOnly ? matchesName(pattern[0] ?? "", parts.at(-1) ?? "") : matchesParts(pattern, parts)
    )
  }
}

const expandBraces = (glob: string): ReadonlyArray<string> => {
  let texts = [glob]
  for (;;) {
    const expanded = texts.flatMap((text) => {
      const brace = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(text)
      return brace === null ? [text] : (brace[2] ?? "").split(",").map((part) => `${brace[1]}${part}${brace[3]}`)
    })
    if (expanded.length > alternativeLimit || expanded.length === texts.length) {
      return expanded.length > alternativeLimit ? texts : expanded
    }
    texts = expanded
  }
}

/** Greedy with one point of return: the last `**`. */
const matchesParts = (pattern: ReadonlyArray<string>, parts: ReadonlyArray<string>): boolean =>
  matchesSequence(
    pattern,
    parts,
    (part) => part === "**",
    (part, name) => matchesName(part, name)
  )

/** Greedy with one point of return: the last `*`. */
const matchesName = (pattern: string, name: string): boolean =>
  matchesSequence(
    [...pattern],
    [...name],
    (character) => character === "*",
    (character, other) => character === "?" || character === other
  )

const matchesSequence = (
  pattern: ReadonlyArray<string>,
  items: ReadonlyArray<string>,
  isAny: (element: string) => boolean,
  matches: (element: string, item: string) => boolean
): boolean => {
  let at = 0
  let item = 0
  let anyAt = -1
  let anyItem = 0
  while (item < items.length) {
    const element = pattern[at]
    if (element !== undefined && isAny(element)) {
      anyAt = at++
      anyItem = item
    } else if (element !== undefined && matches(element, items[item] ?? "")) {
      at++
      item++
    } else if (anyAt >= 0) {
      at = anyAt + 1
      item = ++anyItem
    } else return false
  }
  while (at < pattern.length && isAny(pattern[at] ?? "")) at++
  return at === pattern.length
}
