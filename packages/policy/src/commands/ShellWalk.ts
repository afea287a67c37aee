/** Walks through a script: which commands it holds, in which order, and where each of them would run. */
import type {
  AndOr,
  CommandNode,
  CompoundList,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Statement,
  SyntaxNode,
  Word
} from "unbash"
import type { Argument } from "./Argument.ts"
import { reviewSimple } from "./CommandWords.ts"
import { reviewCompound, reviewCoproc, reviewFunction } from "./CompoundCommands.ts"
import { either } from "./Folders.ts"
import { reviewRedirections } from "./Redirections.ts"
import { below, type Outcome, type Place, type Reviewer, type Situation, type Span } from "./Reviewer.ts"
import { nestingLimit, parseCommand, scriptsWithin } from "./ShellGrammar.boundary.ts"
import type { Folders } from "./ShellState.ts"
import { asArguments, type RunTime, readWord } from "./ShellWord.ts"
import { printedByCommand, printsOf } from "./StaticOutput.ts"

/** One script of one text. The walk of a script inside another begins anew with its own place. */
export const walkScript = (
  reviewer: Reviewer,
  script: ParsedScript,
  source: string,
  place: Place,
  situation: Situation
): Outcome => new ShellWalk(reviewer, source, place).script(script, situation)

export class ShellWalk {
  readonly reviewer: Reviewer
  /** The text that positions of the grammar count in. */
  readonly source: string
  readonly place: Place

  constructor(reviewer: Reviewer, source: string, place: Place) {
    this.reviewer = reviewer
    this.source = source
    this.place = place
  }

  script(script: ParsedScript, situation: Situation): Outcome {
    const error = script.errors?.[0]
    if (error !== undefined) {
      this.ask(`does not parse: ${error.message}`, { pos: error.pos, end: error.pos })
      this.reviewer.addBroken(this.source.slice(script.pos, script.end), this.span(script))
    }
    return this.statements(script.commands, situation)
  }

  /** Reads words, and reviews what they hold: substitutions, and everything that is decided at run time. */
  words(words: ReadonlyArray<Word>, situation: Situation, late: Array<RunTime>): ReadonlyArray<Argument> {
    return words.flatMap((word) => this.word(word, situation, late))
  }

  word(word: Word, situation: Situation, late: Array<RunTime>): ReadonlyArray<Argument> {
    const reading = readWord(word, situation.shell, printsOf(situation.shell))
    if (reading.runTime.length > 0) {
      late.push(...reading.runTime)
      if (word.parts !== undefined) this.inner(word, situation)
    }
    return asArguments(reading, ...this.span(word))
  }

  /** Reviews the scripts inside a node: substitutions of every sort, at any place of a word. */
  inner(node: SyntaxNode, situation: Situation): void {
    const span = this.span(node)
    // Looking for scripts parses them: where there were too many already, nothing is looked for.
    if (!this.reviewer.followed) return
    for (const script of scriptsWithin(node)) {
      this.reviewer.compound = true
      if (!this.reviewer.mayParse(script.end - script.pos, situation.shell, ...span)) return
      // A script in old backquotes has a text of its own: its positions say nothing here.
      const place: Place = script.source === undefined ? this.place : () => span
      walkScript(this.reviewer, script, script.source ?? this.source, place, below(situation, null))
    }
  }

  /** Reviews a script that stands in one word: its findings are at the place of that word. */
  reviewInside(script: ParsedScript, word: Argument, situation: Situation): void {
    walkScript(this.reviewer, script, word.value, insideWord(word, this.reviewer.question.command), situation)
  }

  /** Whether a pattern stands for names in a folder that the text names, and for no hidden ones. */
  isPlainPattern(pattern: RunTime): boolean {
    const { command } = this.reviewer.question
    const [start, end] = this.span(pattern)
    return /^[*?]+$/.test(command.slice(start, end)) && !/(?:^|[\s/'"])\.[^/\s]*$/.test(command.slice(0, start))
  }

  span({ pos, end }: { readonly pos: number; readonly end: number }): Span {
    return this.place(pos, end)
  }

  /** Writes down what the shell decides at run time. */
  late(runTime: ReadonlyArray<RunTime>): void {
    for (const { rule, pos, end } of runTime) this.ask(rule, { pos, end })
  }

  ask(rule: string, { pos, end }: { readonly pos: number; readonly end: number }): void {
    this.reviewer.literal = false
    this.reviewer.find("asks", rule, ...this.place(pos, end))
  }

  statements(statements: ReadonlyArray<Statement>, situation: Situation): Outcome {
    let last: Outcome = { ok: situation.folders, failed: situation.folders }
    if (statements.length > 1) this.reviewer.compound = true
    for (const [index, statement] of statements.entries()) {
      const folders = index === 0 ? situation.folders : either(last.ok, last.failed)
      const outcome = this.#pipelineOrList(statement.command, { ...situation, folders })
      if (statement.background) {
        this.ask("& starts a process that outlives the command", { pos: statement.end - 1, end: statement.end })
        last = { ok: folders, failed: folders }
      } else last = outcome
    }
    return last
  }

  #pipelineOrList(node: PipelineNode | AndOr, situation: Situation): Outcome {
    return node.type === "AndOr" ? this.#andOr(node, situation) : this.#pipelineNode(node, situation)
  }

  #andOr(node: AndOr, situation: Situation): Outcome {
    this.reviewer.compound = true
    let ok: Folders = situation.folders
    let failed: Folders = []
    for (const [index, command] of node.commands.entries()) {
      const operator = node.operators[index - 1]
      const folders = operator === "||" ? failed : ok
      const outcome = this.#pipelineNode(command, {
        ...situation,
        folders: folders.length > 0 ? folders : situation.folders
      })
      if (operator === undefined) [ok, failed] = [outcome.ok, outcome.failed]
      else if (operator === "&&") [ok, failed] = [outcome.ok, either(failed, outcome.failed)]
      else [ok, failed] = [either(ok, outcome.ok), outcome.failed]
    }
    return { ok, failed }
  }

  #pipelineNode(node: PipelineNode, situation: Situation): Outcome {
    return node.type === "Pipeline" ? this.#pipeline(node, situation) : this.command(node, situation)
  }

  #pipeline(node: Pipeline, situation: Situation): Outcome {
    const negated = node.prefixes.filter((prefix) => prefix.type === "Negation").length
    if (negated > 1) this.ask("! stands twice, which shells read differently", node)
    this.reviewer.compound = true
    const [first] = node.commands
    if (first === undefined) this.ask("does not parse: a prefix without a command", node)
    const timed = node.prefixes.some((prefix) => prefix.type === "Time")
    if (timed && first?.type !== "Command") this.ask("time takes a plain command in some shells only", node)
    if (node.commands.length === 1 && first !== undefined) {
      const outcome = this.#first(first, timed, situation)
      return negated % 2 === 1 ? { ok: outcome.failed, failed: outcome.ok } : outcome
    }
    let printed: string | null = null
    for (const [index, command] of node.commands.entries()) {
      const input = index === 0 || printed === null ? null : this.argument(printed, command)
      if (index === 0) this.#first(command, timed, situation)
      else this.command(command, { ...situation, input })
      printed = printedByCommand(command, printed, situation.shell)
    }
    return { ok: situation.folders, failed: situation.folders }
  }

  /** `time` is a word of the grammar to one shell and a program to another; the program has options of its own. */
  #first(node: CommandNode, timed: boolean, situation: Situation): Outcome {
    return timed && node.type === "Command"
      ? reviewSimple(this, node, situation, ["time"])
      : this.command(node, situation)
  }

  command(node: CommandNode | CompoundList, situation: Situation): Outcome {
    if (situation.depth > nestingLimit) {
      this.ask(`is nested deeper than ${nestingLimit}`, node)
      return { ok: situation.folders, failed: situation.folders }
    }
    switch (node.type) {
      case "Command":
        return reviewSimple(this, node, situation, [])
      case "Redirected":
        reviewRedirections(this, node.redirects, situation)
        return reviewCompound(this, node.command, situation)
      case "Function":
        return reviewFunction(this, node, situation)
      case "Coproc":
        return reviewCoproc(this, node, situation)
      case "CompoundList":
        return this.statements(node.commands, below(situation))
      default:
        return reviewCompound(this, node, situation)
    }
  }

  /**
   * What stands between the double brackets of `[[ … ]]` and `((…))`, as a shell takes it that has no such thing: as
   * commands.
   */
  asPlainCommands(node: { readonly pos: number; readonly end: number }, situation: Situation): void {
    const text = this.source.slice(node.pos + 2, node.end - 2)
    const parsed = parseCommand(text)
    const [start, end] = this.span(node)
    if (parsed.kind === "script" && this.reviewer.mayParse(text.length, situation.shell, start, end)) {
      walkScript(this.reviewer, parsed.script, text, () => [start, end], situation)
    }
  }

  argument(value: string, node: { readonly pos: number; readonly end: number }): Argument {
    const [start, end] = this.span(node)
    return { value, start, end, literal: true }
  }
}

/** Inside plain quotes the positions of an inner script are exact; elsewhere the word itself is the place. */
const insideWord = ({ value, start, end }: Argument, command: string): Place => {
  const offset = start + 1
  if (command.slice(offset, end - 1) === value) return (from, to) => [offset + from, offset + to]
  return () => [start, end]
}
