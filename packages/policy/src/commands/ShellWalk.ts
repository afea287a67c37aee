/** Walks through a script: which commands it holds, in which order, and where each of them would run. */
import type {
  AndOr,
  Command,
  CommandNode,
  CompoundCommand,
  CompoundList,
  Coproc,
  Function as FunctionDefinition,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirection,
  Statement,
  SyntaxNode,
  Word
} from "unbash"
import { forEachChild } from "unbash"
import type { Argument } from "./Argument.ts"
import { reviewRedirections } from "./Redirections.ts"
import type { Outcome, Place, Reviewer, Situation, Span } from "./Reviewer.ts"
import { nestingLimit, parseCommand, scriptsWithin } from "./ShellGrammar.boundary.ts"
import { type Folders, foldersLimit, unknownFolder } from "./ShellState.ts"
import { asArguments, type RunTime, readWord } from "./ShellWord.ts"
import { reviewCommandLine } from "./SimpleCommand.ts"
import { printedByCommand, printsOf } from "./StaticOutput.ts"
import { reviewTest } from "./TestExpressions.ts"

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
    if (error !== undefined) this.ask(`does not parse: ${error.message}`, { pos: error.pos, end: error.pos })
    return this.#statements(script.commands, situation)
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
      walkScript(this.reviewer, script, script.source ?? this.source, place, this.#below(situation, null))
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

  #statements(statements: ReadonlyArray<Statement>, situation: Situation): Outcome {
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
    return node.type === "Pipeline" ? this.#pipeline(node, situation) : this.#command(node, situation)
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
      const input = index === 0 || printed === null ? null : this.#argument(printed, command)
      if (index === 0) this.#first(command, timed, situation)
      else this.#command(command, { ...situation, input })
      printed = printedByCommand(command, printed, situation.shell)
    }
    return { ok: situation.folders, failed: situation.folders }
  }

  /** `time` is a word of the grammar to one shell and a program to another; the program has options of its own. */
  #first(node: CommandNode, timed: boolean, situation: Situation): Outcome {
    return timed && node.type === "Command" ? this.#simple(node, situation, ["time"]) : this.#command(node, situation)
  }

  #command(node: CommandNode | CompoundList, situation: Situation): Outcome {
    if (situation.depth > nestingLimit) {
      this.ask(`is nested deeper than ${nestingLimit}`, node)
      return { ok: situation.folders, failed: situation.folders }
    }
    switch (node.type) {
      case "Command":
        return this.#simple(node, situation, [])
      case "Redirected":
        this.#redirections(node.redirects, situation)
        return this.#compound(node.command, situation)
      case "Function":
        return this.#function(node, situation)
      case "Coproc":
        return this.#coproc(node, situation)
      case "CompoundList":
        return this.#statements(node.commands, this.#below(situation))
      default:
        return this.#compound(node, situation)
    }
  }

  #compound(node: CompoundCommand, situation: Situation): Outcome {
    const below = this.#below(situation)
    const stays = { ok: situation.folders, failed: situation.folders }
    this.reviewer.compound = true
    switch (node.type) {
      case "BraceGroup":
        return this.#statements(node.body.commands, below)
      case "Subshell":
        this.#statements(node.body.commands, below)
        return stays
      case "If":
        return this.#if(node, below)
      case "TestCommand":
        reviewTest(this, node, below)
        return stays
      case "While":
        this.ask(`${node.kind} repeats commands until something changes`, {
          pos: node.pos,
          end: node.pos + node.kind.length
        })
        return this.#all([node.clause, node.body], below)
      case "For":
      case "Select": {
        this.ask("a loop repeats commands", { pos: node.pos, end: node.name.end })
        const late: Array<RunTime> = []
        const values = this.words(node.wordlist ?? [], below, late)
        this.late(late)
        below.shell.variables.set(
          node.name.value,
          node.wordlist === undefined ? null : values.map(({ value }) => value)
        )
        return this.#all([node.body], below)
      }
      case "ArithmeticFor":
      case "ArithmeticCommand":
        this.ask("arithmetic is worked out at run time", node)
        this.inner(node, below)
        if (node.type === "ArithmeticCommand") this.asPlainCommands(node, below)
        return node.type === "ArithmeticFor" ? this.#all([node.body], below) : stays
      case "Case": {
        this.ask("case chooses commands at run time", { pos: node.pos, end: node.word.end })
        const late: Array<RunTime> = []
        this.words([node.word, ...node.items.flatMap((item) => item.pattern)], below, late)
        return this.#all(
          node.items.map((item) => item.body),
          below
        )
      }
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

  #if(node: If, situation: Situation): Outcome {
    const clause = this.#statements(node.clause.commands, situation)
    const then = this.#statements(node.then.commands, { ...situation, folders: clause.ok })
    let ends = either(then.ok, then.failed)
    let otherwise = clause.failed
    for (const elif of node.elif) {
      const outcome = this.#statements(elif.clause.commands, { ...situation, folders: otherwise })
      const chosen = this.#statements(elif.then.commands, { ...situation, folders: outcome.ok })
      ends = either(ends, either(chosen.ok, chosen.failed))
      otherwise = outcome.failed
    }
    if (node.else !== undefined) {
      const last = this.#statements(node.else.commands, { ...situation, folders: otherwise })
      otherwise = either(last.ok, last.failed)
    }
    ends = either(ends, otherwise)
    return { ok: ends, failed: ends }
  }

  /** Lists of which any may run, in any order: the folders of all of them are possible afterwards. */
  #all(lists: ReadonlyArray<CompoundList>, situation: Situation): Outcome {
    let folders = situation.folders
    for (const list of lists) {
      const outcome = this.#statements(list.commands, { ...situation, folders })
      folders = either(folders, either(outcome.ok, outcome.failed))
    }
    return { ok: folders, failed: folders }
  }

  #function(node: FunctionDefinition, situation: Situation): Outcome {
    const name = node.name.value
    this.ask("defines a function: a name means something else from here on", { pos: node.pos, end: node.name.end })
    if (callsItselfTwice(node, name)) {
      this.reviewer.find("ruins", "a fork bomb: a function that starts itself again and again", ...this.span(node))
    }
    this.#command(node.body, this.#below(situation))
    situation.shell.functions.add(name)
    return { ok: situation.folders, failed: situation.folders }
  }

  #coproc(node: Coproc, situation: Situation): Outcome {
    this.ask("coproc starts a process that outlives the command", { pos: node.pos, end: node.pos + "coproc".length })
    this.#command(node.body, this.#below(situation))
    return { ok: situation.folders, failed: situation.folders }
  }

  #simple(command: Command, situation: Situation, before: ReadonlyArray<string>): Outcome {
    const late: Array<RunTime> = []
    this.#gaps(command)
    const assigned = command.prefix.flatMap((item) =>
      item.type === "Assignment" ? [this.#assign(item, situation, late)] : []
    )
    const given = this.#redirections(command.redirects, situation)
    const words = command.name === undefined ? [] : [command.name, ...command.args]
    const argv = words.flatMap((word) =>
      word.type === "Word" ? this.word(word, situation, late) : [this.#assign(word, situation, late)]
    )
    const named = [...before.map((value) => this.#argument(value, command)), ...argv]
    const inner: Situation = { ...situation, input: given ?? situation.input }
    return reviewCommandLine(this, { argv: named, assigned, runTime: late, node: command }, inner)
  }

  /** The parser passes over a bracket behind a name (`ls (a`), which no shell does: between words there are blanks. */
  #gaps({ prefix, name, suffix, pos }: Command): void {
    let end = pos
    for (const item of name === undefined ? prefix : [...prefix, name, ...suffix]) {
      const gap = this.source.slice(end, item.pos)
      if (item.pos > end && !blanks.test(gap)) this.ask("does not parse: something stands between two words", item)
      end = Math.max(end, item.end)
    }
    if (bracket.test(this.source.slice(end, end + bracketReach)))
      this.ask("does not parse: a bracket behind a word", { pos: end, end: end + 1 })
  }

  /** Remembers what a variable holds from here on. Answers with the assignment as one word. */
  #assign(
    { name, value, append, index, pos, end }: Extract<Command["args"][number], { readonly type: "Assignment" }>,
    { shell, ...situation }: Situation,
    late: Array<RunTime>
  ): Argument {
    const [start, stop] = this.place(pos, end)
    // A subscript is arithmetic, and arithmetic can run commands.
    if (index !== undefined) this.word(index, { shell, ...situation }, late)
    if (value.type === "ArrayValue" || index !== undefined) {
      const elements = value.type === "ArrayValue" ? value.elements : [value]
      this.words(elements, { shell, ...situation }, late)
      shell.variables.set(name, null)
      return { value: `${name}=`, start, end: stop, literal: false }
    }
    const read = this.word(value, { shell, ...situation }, late)
    const texts = read.map((argument) => argument.value)
    const before = append ? (shell.variables.get(name) ?? [""]) : [""]
    const known = texts.length === 0 ? [""] : texts
    shell.variables.set(
      name,
      before.slice(0, 8).flatMap((text) => known.slice(0, 8).map((more) => text + more))
    )
    return { value: `${name}=${known[0] ?? ""}`, start, end: stop, literal: read.every((argument) => argument.literal) }
  }

  #redirections(redirects: ReadonlyArray<Redirection>, situation: Situation): Argument | null {
    return redirects.length === 0 ? null : reviewRedirections(this, redirects, situation)
  }

  #argument(value: string, node: { readonly pos: number; readonly end: number }): Argument {
    const [start, end] = this.span(node)
    return { value, start, end, literal: true }
  }

  #below(situation: Situation, input: Argument | null = situation.input): Situation {
    return { ...situation, depth: situation.depth + 1, input }
  }
}

/** Inside plain quotes the positions of an inner script are exact; elsewhere the word itself is the place. */
const insideWord = ({ value, start, end }: Argument, command: string): Place => {
  const offset = start + 1
  if (command.slice(offset, end - 1) === value) return (from, to) => [offset + from, offset + to]
  return () => [start, end]
}

const blanks = /^(?:[ \t]|\\\r?\n)*$/
const bracket = /^(?:[ \t]|\\\r?\n)*\(/
const bracketReach = 64

const either = (left: Folders, right: Folders): Folders => {
  if (left === right) return left
  const all = [...new Set([...left, ...right])]
  return all.length <= foldersLimit ? all : [...all.slice(0, foldersLimit), unknownFolder]
}

/** A function that calls itself in the background, or more than once: each call makes more of them. */
const callsItselfTwice = (definition: FunctionDefinition, name: string): boolean => {
  let calls = 0
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Statement" && node.background && startsWith(node.command, name)) calls += 2
    if (node.type === "Command" && node.name?.value === name) calls += 1
    forEachChild(node, visit)
  }
  forEachChild(definition, visit)
  return calls > 1
}

const startsWith = (node: Statement["command"], name: string): boolean =>
  node.type === "Command" && node.name?.value === name
