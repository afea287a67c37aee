/**
 * Patterns over the names that a server gives its own tools: `*` is any run of characters, line breaks included;
 * everything else is itself, letter case counts. Outer blanks of patterns and names mean nothing.
 */

/** Which of a server's tools are taken: exclusion wins, no (or an empty) inclusion is all. */
export interface ToolFilter {
  readonly include?: ReadonlyArray<string>
  readonly exclude?: ReadonlyArray<string>
}

/**
 * Whether `filter` lets the tool `name` through. A blank pattern matches no tool: it is a slip, and must not be read as
 * "all".
 *
 * @example
 * passesFilter("search_docs", { include: ["search*"] }) // true
 */
export const passesFilter = (name: string, filter: ToolFilter): boolean => {
  const own = name.trim()
  const matches = (pattern: string): boolean => matchesPattern(own, pattern.trim())
  const include = filter.include ?? []
  return (include.length === 0 || include.some(matches)) && !(filter.exclude ?? []).some(matches)
}

/** Whether all of `text` is `pattern`. At most one step back a star: the product of both lengths, never more. */
export const matchesPattern = (text: string, pattern: string): boolean => {
  let at = 0
  let expected = 0
  let star = -1
  let afterStar = 0
  while (at < text.length) {
    if (pattern[expected] === "*") {
      star = expected
      afterStar = at
      expected += 1
    } else if (pattern[expected] === text[at]) {
      at += 1
      expected += 1
    } else if (star >= 0) {
      afterStar += 1
      at = afterStar
      expected = star + 1
    } else {
      return false
    }
  }
  while (pattern[expected] === "*") expected += 1
  return expected === pattern.length
}
