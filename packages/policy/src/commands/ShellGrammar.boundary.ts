/**
 * The shell grammar, within bounds. The parser is tolerant and answers with a tree for anything; here a text that it
 * had to mend, or that is too long or too deep for a person to read, is told apart.
 */
import { forEachChild, type ParsedScript, parse, type SyntaxNode } from "unbash"

/** UTF-16 units of a command that is parsed. */
export const commandLengthLimit = 32 * 1024
/** Nesting that the review follows, of the grammar and of commands inside commands. */
export const nestingLimit = 32
/** Equal quoting or grouping marks in a row, beyond which no person reads a text. */
const runLimit = 64

export type ParsedCommand =
  | { readonly kind: "script"; readonly script: ParsedScript; readonly flaw: string | null }
  | { readonly kind: "refused"; readonly flaw: string }

export const parseCommand = (text: string): ParsedCommand => {
  const flaw = tooMuch(text)
  if (flaw !== null) return { kind: "refused", flaw }
  try {
    const script = parse(text)
    const error = script.errors?.[0]
    return { kind: "script", script, flaw: error === undefined ? null : `does not parse: ${error.message}` }
  } catch {
    // Only a stack overflow is known to come here: nesting without any bracket (`f() f() f() …`).
    return { kind: "refused", flaw: "is nested too deep to be parsed" }
  }
}

/** The scripts inside a word, an expansion or an expression; not what is inside those again. */
export const scriptsWithin = (node: SyntaxNode): ReadonlyArray<ParsedScript> => {
  const found: Array<ParsedScript> = []
  const visit = (child: SyntaxNode): void => {
    if (child.type === "Script") found.push(child)
    else if (child.type === "ParameterExpansion" && child.operation?.type === "Replace") {
      forEachChild(child, visit)
      found.push(...scriptsInReplacement(child.text))
    } else forEachChild(child, visit)
  }
  forEachChild(node, visit)
  return found
}

/**
 * The parser ends the pattern of `${name/pattern/text}` at the next slash, also inside a substitution: the whole is
 * read again as one quoted text.
 */
const scriptsInReplacement = (expansion: string): ReadonlyArray<ParsedScript> => {
  if (!/\$\([^)]*\/|`[^`]*\//.test(expansion)) return []
  const source = `"${expansion.slice(2, -1)}"`
  const parsed = parseCommand(source)
  return parsed.kind === "script" ? scriptsWithin(parsed.script).map((script) => ({ ...script, source })) : []
}

/** Read off the raw text: quotes are not looked at, so this can only ask too often. */
const tooMuch = (text: string): string | null => {
  if (text.length > commandLengthLimit) return `is longer than ${commandLengthLimit} characters`
  let depth = 0
  let run = 0
  let last = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const weight = marks[code] ?? 0
    if (weight === 0) {
      run = 0
      continue
    }
    run = code === last ? run + 1 : 1
    last = code
    if (run > runLimit) return "has more quoting or grouping marks in a row than a person can count"
    if (weight === opening) depth++
    else if (weight === closing && depth > 0) depth--
    if (depth > nestingLimit) return `is nested deeper than ${nestingLimit}`
  }
  return null
}

const opening = 2
const closing = 3
const marks: Readonly<Record<number, number>> = (() => {
  const table: Record<number, number> = {}
  for (const mark of "\\'\"`$<>&|;![]") table[mark.charCodeAt(0)] = 1
  for (const mark of "({") table[mark.charCodeAt(0)] = opening
  for (const mark of ")}") table[mark.charCodeAt(0)] = closing
  return table
})()
