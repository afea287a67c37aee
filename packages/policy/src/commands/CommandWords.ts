/** The words of one simple command: its assignments and redirections, and what the parser passed over. */
import type { Command } from "unbash"
import type { Argument } from "./Argument.ts"
import { reviewRedirections } from "./Redirections.ts"
import type { Outcome, Situation } from "./Reviewer.ts"
import type { ShellWalk } from "./ShellWalk.ts"
import type { RunTime } from "./ShellWord.ts"
import { reviewCommandLine } from "./SimpleCommand.ts"

/** `before` are words that stand before those of the command. */
export const reviewSimple = (
  walk: ShellWalk,
  command: Command,
  situation: Situation,
  before: ReadonlyArray<string>
): Outcome => {
  const late: Array<RunTime> = []
  reviewGaps(walk, command)
  const assigned = command.prefix.flatMap((item) =>
    item.type === "Assignment" ? [assign(walk, item, situation, late)] : []
  )
  const given = command.redirects.length === 0 ? null : reviewRedirections(walk, command.redirects, situation)
  const words = command.name === undefined ? [] : [command.name, ...command.args]
  const argv = words.flatMap((word) =>
    word.type === "Word" ? walk.word(word, situation, late) : [assign(walk, word, situation, late)]
  )
  const named = [...before.map((value) => walk.argument(value, command)), ...argv]
  const inner: Situation = { ...situation, input: given ?? situation.input }
  return reviewCommandLine(walk, { argv: named, assigned, runTime: late, node: command }, inner)
}

/** The parser passes over a bracket behind a name (`ls (a`), which no shell does: between words there are blanks. */
const reviewGaps = (walk: ShellWalk, { prefix, name, suffix, pos }: Command): void => {
  let end = pos
  for (const item of name === undefined ? prefix : [...prefix, name, ...suffix]) {
    const gap = walk.source.slice(end, item.pos)
    if (item.pos > end && !blanks.test(gap)) walk.ask("does not parse: something stands between two words", item)
    end = Math.max(end, item.end)
  }
  if (bracket.test(walk.source.slice(end, end + bracketReach)))
    walk.ask("does not parse: a bracket behind a word", { pos: end, end: end + 1 })
}

/** Remembers what a variable holds from here on. Answers with the assignment as one word. */
const assign = (
  walk: ShellWalk,
  { name, value, append, index, pos, end }: Extract<Command["args"][number], { readonly type: "Assignment" }>,
  { shell, ...situation }: Situation,
  late: Array<RunTime>
): Argument => {
  const [start, stop] = walk.place(pos, end)
  // A subscript is arithmetic, and arithmetic can run commands.
  if (index !== undefined) walk.word(index, { shell, ...situation }, late)
  if (value.type === "ArrayValue" || index !== undefined) {
    const elements = value.type === "ArrayValue" ? value.elements : [value]
    walk.words(elements, { shell, ...situation }, late)
    shell.variables.set(name, null)
    return { value: `${name}=`, start, end: stop, literal: false }
  }
  const read = walk.word(value, { shell, ...situation }, late)
  const texts = read.map((argument) => argument.value)
  const before = append ? (shell.variables.get(name) ?? [""]) : [""]
  const known = texts.length === 0 ? [""] : texts
  shell.variables.set(
    name,
    before.slice(0, 8).flatMap((text) => known.slice(0, 8).map((more) => text + more))
  )
  return { value: `${name}=${known[0] ?? ""}`, start, end: stop, literal: read.every((argument) => argument.literal) }
}

const blanks = /^(?:[ \t]|\\\r?\n)*$/
const bracket = /^(?:[ \t]|\\\r?\n)*\(/
const bracketReach = 64
