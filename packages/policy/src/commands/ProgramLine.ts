/** Applies a program's table to the words of one call. */
import type { Argument } from "./Argument.ts"
import { sortArguments } from "./ArgumentLine.ts"
import type { Deed } from "./Finding.ts"
import { foldersFrom } from "./Folders.ts"
import { repositorySettings } from "./git/RepositorySettings.ts"
import { notesFor } from "./PathNotes.ts"
import type { Line, Notes, OptionUse, ValueKind } from "./Program.ts"
import type { KnownProgram, KnownTable } from "./ProgramKnowledge.ts"
import type { Reviewer, Situation } from "./Reviewer.ts"
import type { Folders } from "./ShellState.ts"

/** What the table hands back to the review: commands inside this one. */
export interface Inner {
  readonly starts: (argv: ReadonlyArray<Argument>, more: boolean, folders: Folders) => void
  readonly runsScript: (text: Argument, folders: Folders, positional: ReadonlyArray<Argument>) => void
}

export const reviewProgram = (
  reviewer: Reviewer,
  program: KnownProgram,
  name: Argument,
  args: ReadonlyArray<Argument>,
  situation: Situation,
  inner: Inner
): void => {
  const { table } = program
  if (isHarmlessLine(program, args)) {
    return reviewer.find("reads", `${name.value} ${args[0]?.value ?? ""} prints and does no more`, name.start, name.end)
  }
  if (table.does === "ruins" && onlyAsksAboutItself(args)) {
    return reviewer.find("asks", `${name.value} is asked about itself alone`, name.start, name.end)
  }
  const line = sortArguments(name, args, program.index, table.grammar)
  const notes = new LineNotes(reviewer, situation, inner)
  if (program.subcommands !== null) return applySubcommand(program, line, notes)
  applyTable(program, line, notes)
  if (table.opens !== undefined) notes.starts(line.operands.slice(table.opens))
}

const isHarmlessLine = ({ table, reads }: KnownProgram, args: ReadonlyArray<Argument>): boolean => {
  const [only] = args
  if (only === undefined || args.length !== 1 || !only.literal) return false
  return (table.harmless?.includes(only.value) ?? false) || (reads && !table.builtin && onlyAsksAboutItself(args))
}

const onlyAsksAboutItself = (args: ReadonlyArray<Argument>): boolean => {
  const [only] = args
  return only !== undefined && args.length === 1 && only.literal && /^--(?:help|version)$/.test(only.value)
}

const applyTable = (known: KnownTable, line: Line, notes: LineNotes): void => {
  const { table } = known
  const label = line.subcommand === null ? line.name.value : `${line.name.value} ${line.subcommand.value}`
  const at = line.subcommand ?? line.name
  if (table.does === "reads") notes.find("reads", `${label} ${table.because ?? "only reads"}`, at)
  else notes.find(table.does, `${label} ${table.because ?? "does more than read"}`, at)
  for (const use of line.uses) applyOption(known, use, label, notes)
  applyOperands(known, line, label, notes)
  table.judge?.(line, notes)
}

const applyOption = ({ table, reads }: KnownTable, use: OptionUse, label: string, notes: LineNotes): void => {
  const { group, at, value } = use
  if (group === null) {
    if (reads && !table.ownOptions)
      notes.find("asks", `${label} ${use.name}: an option that the review does not know`, at)
    return
  }
  switch (group.does) {
    case "text":
    case "reads":
      return
    case "path":
    case "pattern":
    case "write":
      if (group.does === "write") notes.find("changes", `${label} ${use.name} writes a file`, at)
      if (value !== null && value.value !== "") notes.value(group.does, value)
      return
    default:
      notes.find(group.does, `${label} ${use.name} ${deedWords[group.does]}`, at)
  }
}

const deedWords: Readonly<Record<Exclude<Deed, "reads">, string>> = {
  asks: "is not decided by the text",
  runs: "runs a program",
  changes: "changes files",
  controls: "changes more than files",
  network: "leaves the machine",
  ruins: "ruins the machine"
}

const applyOperands = ({ table }: KnownTable, line: Line, label: string, notes: LineNotes): void => {
  const { operands } = table
  if (operands === undefined) return
  const given = operands.firstGivenBy?.split(" ") ?? []
  const skipsFirst = line.uses.some((use) => given.includes(use.name))
  const first = skipsFirst ? [] : (operands.first ?? [])
  for (const [index, operand] of line.operands.entries()) {
    const kind = first[index] ?? operands.rest
    switch (kind) {
      case "write":
        notes.find("changes", `${label} writes this file`, operand)
        notes.value(kind, operand)
        break
      case "path":
      case "pattern":
      case "text":
        notes.value(kind, operand)
        break
      case "reads":
        break
      default:
        notes.find(kind, `${label} with this operand ${deedWords[kind]}`, operand)
    }
  }
}

const applySubcommand = (program: KnownProgram, line: Line, notes: LineNotes): void => {
  for (const use of line.uses) applyOption(program, use, line.name.value, notes)
  program.table.judge?.(line, notes)
  const [word] = line.operands
  if (word === undefined) {
    return notes.find(program.table.does, `${line.name.value} without a subcommand`, line.name)
  }
  const known = word.literal ? program.subcommands?.get(word.value) : undefined
  if (known === undefined) {
    const { does, because } = program.table
    const deed = does === "reads" ? "asks" : does
    return notes.find(
      deed,
      `${line.name.value} ${word.value} ${because ?? "is no subcommand that the review knows"}`,
      word
    )
  }
  const args = line.operands.slice(1)
  applyTable(known, { ...sortArguments(line.name, args, known.index, known.table.grammar), subcommand: word }, notes)
}

/** The notes that a table's judge writes, each with the folder and the depth of this call. */
class LineNotes implements Notes {
  readonly standardInput: Argument | null
  readonly #reviewer: Reviewer
  readonly #inner: Inner
  #folders: Folders

  constructor(reviewer: Reviewer, situation: Situation, inner: Inner) {
    this.#reviewer = reviewer
    this.#inner = inner
    this.#folders = situation.folders
    this.standardInput = situation.input
  }

  find(deed: Deed, rule: string, at: Argument): void {
    this.#reviewer.find(deed, rule, at.start, at.end)
  }

  value(kind: ValueKind, value: Argument): void {
    if (kind === "path") this.reads(value)
    if (kind === "write") this.writes(value)
    if (kind === "pattern") this.selects(value)
  }

  reads(path: Argument): void {
    notesFor(this.#reviewer, this.#folders).reads(path)
  }

  writes(path: Argument): void {
    notesFor(this.#reviewer, this.#folders).writes(path)
  }

  selects(pattern: Argument): void {
    notesFor(this.#reviewer, this.#folders).selects(pattern)
  }

  isRuinous(path: Argument): boolean {
    return notesFor(this.#reviewer, this.#folders).isRuinous(path)
  }

  starts(argv: ReadonlyArray<Argument>, more = false): void {
    this.#inner.starts(argv, more, this.#folders)
  }

  runsScript(text: Argument, positional: ReadonlyArray<Argument> = []): void {
    this.#inner.runsScript(text, this.#folders, positional)
  }

  movesTo(folder: Argument): void {
    this.reads(folder)
    this.#folders = foldersFrom(this.#reviewer, folder, this.#folders)
  }

  repositorySettings(wanted: (key: string, value: string) => boolean): ReadonlyArray<string> {
    if (this.#reviewer.question.cwd === null) return []
    return repositorySettings(this.#reviewer.lookups, this.#folders, wanted)
  }
}
