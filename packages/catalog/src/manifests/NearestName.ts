/** The known name that somebody probably meant. */

/** Below this likeness a name is no help: `proxy` is not a slip for any field. */
const leastLikeness = 0.6

/**
 * The known name that is most like `name`, or null where none is near. Finds slips (`aproval_policy`), plurals
 * (`header`), parts (`timeout` for `timeout_seconds`, `schema` for `input_schema`) and abbreviations (`cmd` for `command`).
 *
 * @example
 * nearestName("max_steps", ["workspace", "max_model_steps"]) // "max_model_steps"
 */
export const nearestName = (name: string, known: ReadonlyArray<string>): string | null => {
  // A name that is longer than any of ours by far is no slip, and comparing it would cost its square.
  if (name.length > 64) return null
  let best: string | null = null
  let bestLikeness = leastLikeness
  for (const candidate of known) {
    const likeness = Math.max(
      likenessOf(folded(name), folded(candidate)),
      // One of many is a slip of its own; a better likeness of the names as they are wins.
      0.98 * likenessOf(singular(folded(name)), singular(folded(candidate))),
      byWord(name, candidate)
    )
    if (likeness >= bestLikeness && (best === null || likeness > bestLikeness)) {
      best = candidate
      bestLikeness = likeness
    }
  }
  return best
}

const folded = (name: string): string => name.toLowerCase().replaceAll(/[_\-\s]/g, "")

const singular = (name: string): string => name.replace(/s$/, "")

/** A whole word of the known name (`schema` for `input_schema`). */
const byWord = (name: string, known: string): number =>
  name.length >= 4 && known.split("_").includes(name.toLowerCase()) ? 0.7 : 0

/** From 0 (nothing in common) to 1 (equal). */
const likenessOf = (name: string, known: string): number => {
  const longer = Math.max(name.length, known.length)
  if (longer === 0) return 0
  const byEdits = 1 - edits(name, known) / longer
  return Math.max(byEdits, byOmission(name, known))
}

/** Letters left out of the longer one: always beginning alike, and better the more is left. */
const byOmission = (name: string, known: string): number => {
  const [short, long] = name.length <= known.length ? [name, known] : [known, name]
  if (short.length < 3 || short[0] !== long[0]) return 0
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length ? leastLikeness + (0.99 - leastLikeness) * (short.length / long.length) : 0
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
const edits = (left: string, right: string): number => {
  let before: Array<number> = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      const cell = (line: ReadonlyArray<number>, at: number): number => line[at] ?? Number.POSITIVE_INFINITY
      let least = Math.min(
        cell(last, column) + 1,
        cell(current, column - 1) + 1,
        cell(last, column - 1) + (same ? 0 : 1)
      )
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        least = Math.min(least, cell(before, column - 2) + 1)
      }
      current.push(least)
    }
    before = last
    last = current
  }
  return last[right.length] ?? 0
}
