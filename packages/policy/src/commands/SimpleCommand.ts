/** One simple command: its assignments, its program, and what the knowledge says about its words. */
import type { Command } from "unbash"
import type { Argument } from "./Argument.ts"
import { moveTo } from "./Folders.ts"
import type { KnownProgram } from "./ProgramKnowledge.ts"
import { reviewProgram } from "./ProgramLine.ts"
import type { Outcome, Situation } from "./Reviewer.ts"
import { nestingLimit, parseCommand } from "./ShellGrammar.boundary.ts"
import { rememberBuiltin, withPositional } from "./ShellState.ts"
import type { ShellWalk } from "./ShellWalk.ts"
import type { RunTime } from "./ShellWord.ts"

export interface CommandLine {
  readonly argv: ReadonlyArray<Argument>
  /** Assignments before the program. */
  readonly assigned: ReadonlyArray<Argument>
  readonly runTime: ReadonlyArray<RunTime>
  readonly node: Command
}

export const reviewCommandLine = (walk: ShellWalk, line: CommandLine, situation: Situation): Outcome => {
  const { argv, assigned, node } = line
  const stays = { ok: situation.folders, failed: situation.folders }
  const [name] = argv
  reviewAssignments(walk, line)
  if (name === undefined) {
    walk.late(line.runTime)
    if (node.prefix.length === 0 && node.name === undefined) walk.ask("holds no command", node)
    if (node.name !== undefined) walk.ask("the program's name is decided at run time", node.name)
    return stays
  }
  const outcome = reviewArguments(walk, argv, assigned, situation, line.runTime)
  return outcome ?? stays
}

const reviewAssignments = (walk: ShellWalk, { argv, assigned }: CommandLine): void => {
  const [first] = assigned
  if (first === undefined) return
  if (argv.length > 0) {
    walk.reviewer.compound = true
    walk.reviewer.find("runs", "an assignment before a program changes what it loads or starts", first.start, first.end)
  } else {
    walk.reviewer.parts.push(assigned.map(({ value }) => value))
    walk.reviewer.find("asks", "sets a variable of the shell", first.start, first.end)
  }
}

/**
 * A program and its words, as the shell or another program starts them. Answers with the folders of the next command
 * where this one changes them.
 */
const reviewArguments = (
  walk: ShellWalk,
  argv: ReadonlyArray<Argument>,
  assigned: ReadonlyArray<Argument>,
  situation: Situation,
  runTime: ReadonlyArray<RunTime>
): Outcome | null => {
  const { reviewer } = walk
  const [name, ...args] = argv
  if (name === undefined) return null
  if (situation.depth > nestingLimit) {
    reviewer.find("asks", `is nested deeper than ${nestingLimit}`, name.start, name.end)
    return null
  }
  if (!name.literal) reviewer.find("asks", "the program's name is decided at run time", name.start, name.end)
  const called = situation.shell.functions.get(name.value)
  called?.(name, args, situation)
  const program = called === undefined ? knownProgram(walk, name) : null
  walk.late(runTime.filter((late) => !isHarmlessPattern(late, program, walk)))
  if (program?.table.transparent !== true || assigned.length > 0) {
    reviewer.parts.push([...assigned.map(({ value }) => value), ...argv.map(({ value }) => value)])
  }
  rememberBuiltin(
    name.value,
    args.map(({ value }) => value),
    situation.shell
  )
  if (program === null) {
    lookForRuin(walk, args, situation)
    return null
  }
  if (program.table.movesShell) {
    const { does, because } = program.table
    if (does !== "reads") reviewer.find(does, `${name.value} ${because ?? "moves the shell"}`, name.start, name.end)
    return moveTo(reviewer, name, args, situation)
  }
  const inner = { ...situation, depth: situation.depth + 1 }
  const base = { ...name, value: name.value.slice(name.value.lastIndexOf("/") + 1) }
  reviewProgram(reviewer, program, base, args, situation, {
    starts: (started, more, folders) => {
      reviewer.compound = true
      const [first] = started
      if (first === undefined) return
      if (more) {
        reviewer.literal = false
        reviewer.find("asks", "starts a command with words that the text does not show", first.start, first.end)
      }
      reviewArguments(walk, started, [], { ...inner, folders, input: situation.input }, [])
    },
    runsScript: (text, folders, positional) =>
      runScript(walk, text, positional, { ...inner, folders, input: situation.input })
  })
  return null
}

/** Text that another shell reads, at the place of the word that holds it. */
const runScript = (
  walk: ShellWalk,
  text: Argument,
  positional: ReadonlyArray<Argument>,
  situation: Situation
): void => {
  const { reviewer } = walk
  reviewer.compound = true
  if (!reviewer.mayParse(text.value.length, situation.shell, text.start, text.end)) return
  const parsed = parseCommand(text.value)
  if (parsed.kind === "refused") return reviewer.find("asks", parsed.flaw, text.start, text.end)
  const variables = withPositional(situation.shell, positional)
  walk.reviewInside(parsed.script, text, { ...situation, shell: { ...situation.shell, variables } })
}

const systemFolders = ["/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/usr/local/sbin/"]

/** The table that speaks for a program, once its name, or its path, is one that can be trusted. */
const knownProgram = (walk: ShellWalk, name: Argument): KnownProgram | null => {
  const { reviewer } = walk
  const typed = name.value
  const slash = typed.lastIndexOf("/")
  if (slash >= 0) {
    const folder = systemFolders.find((place) => typed.replace(/\/{2,}/g, "/").startsWith(place))
    const base = typed.slice(slash + 1)
    const known = folder === undefined || typed.includes("..") ? null : reviewer.knowledge.find(base)
    if (known !== null && (!known.table.builtin || known.table.alsoProgram) && folder !== undefined) {
      locate(walk, base, folder.slice(0, -1), name)
      return known
    }
    reviewer.find("runs", "runs a program by its path: its text is not under review", name.start, name.end)
    return null
  }
  const known = reviewer.knowledge.find(typed)
  if (known === null) {
    reviewer.find("asks", "not a program that the review knows", name.start, name.end)
    return null
  }
  const { searchPath } = reviewer.question
  if (!known.table.builtin && searchPath !== null) locate(walk, typed, searchPath, name)
  return known
}

/** Where the child would find a program, and whether that place is to be trusted. */
const locate = (walk: ShellWalk, base: string, searchPath: string, name: Argument): void => {
  const { question, lookups, resolved } = walk.reviewer
  if (question.searchPath === null || Object.hasOwn(resolved, name.value)) return
  const found = lookups.program(base, searchPath, question.workspace)
  if (found === null) return
  resolved[name.value] = found.path
  if (found.doubt !== null) walk.reviewer.find("runs", `${found.path} ${found.doubt}`, name.start, name.end)
}

/** `ls src/*.ts`: whatever the pattern becomes, the program lists names of the workspace at worst. */
const isHarmlessPattern = (late: RunTime, program: KnownProgram | null, walk: ShellWalk): boolean =>
  late.kind === "pattern" && program?.table.patternsAreHarmless === true && walk.isPlainPattern(late)

/** A program that nobody knows may be a wrapper: its words are looked at as if they were a command, for ruin alone. */
const lookForRuin = (walk: ShellWalk, args: ReadonlyArray<Argument>, situation: Situation): void => {
  const { reviewer } = walk
  for (const [index, name] of args.slice(0, nestingLimit).entries()) {
    const known = reviewer.knowledge.find(name.value.slice(name.value.lastIndexOf("/") + 1))
    if (known === null || !known.table.ruinsPlaces) continue
    const before = reviewer.findings.length
    const parts = reviewer.parts.length
    reviewArguments(walk, args.slice(index), [], { ...situation, depth: situation.depth + 1 }, [])
    const graver = reviewer.findings.splice(before).filter((finding) => finding.class === "destructive")
    reviewer.parts.length = parts
    reviewer.findings.push(...graver)
    return
  }
}
