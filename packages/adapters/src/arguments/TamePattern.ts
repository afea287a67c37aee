/**
 * Regular expressions of input schemas are written by whoever wrote the tool, and run on what a model says. The engine
 * of JavaScript backtracks: an expression like `(a+)+$` stops the host for as long as it likes. Pure.
 */

/** Characters of an expression that is run at all. */
const lengthLimit = 500
/** Characters of a text that expressions with repetitions are run on. */
export const patternTextLimit = 10_000
/** Unbounded repetitions that may stand one after another: with each, the worst time grows by a power of the text. */
const repetitionLimit = 3

/**
 * Whether matching `source` takes a time that grows slowly with the text: no repetition within or around another one,
 * no choice that is repeated, nothing that refers back, and few repetitions in all. It knows too little to say yes to
 * every harmless one.
 *
 * @example
 * isTamePattern("^[a-z]+-\\d{1,4}$") // true
 * isTamePattern("(a+)+$")           // false
 */
export const isTamePattern = (source: string): boolean => {
  if (source.length > lengthLimit || /\\(?:[1-9]|k<)|\(\?<?[=!]/.test(source)) return false
  // What a class or an escape holds says nothing about repetition.
  const bare = source.replace(/\\./gs, "x").replace(/\[(?:[^\]])*\]/g, "x")
  const open: Array<{ risky: boolean }> = []
  let repetitions = 0
  let closed: { risky: boolean } | null = null
  for (let at = 0; at < bare.length; at++) {
    const character = bare[at] ?? ""
    const repeated = /^(?:[*+]|\{\d+,\d*\}|\{\d{2,}\})/.exec(bare.slice(at, at + 24))
    if (repeated !== null) {
      repetitions += 1
      if (closed?.risky === true || repetitions > repetitionLimit) return false
      for (const group of open) group.risky = true
      at += repeated[0].length - 1
    } else if (character === "(") open.push({ risky: false })
    else if (character === "|") for (const group of open) group.risky = true
    if (character === ")") {
      closed = open.pop() ?? null
      continue
    }
    closed = null
  }
  return true
}
