/** The tables of all programs, ready to be asked. Each is indexed when it is first needed: start-up pays for none. */
import { indexOptions, type OptionIndex } from "./ArgumentLine.ts"
import type { Program, Subcommand } from "./Program.ts"

/** A table with its options by name. */
export interface KnownTable {
  readonly table: Subcommand
  readonly index: OptionIndex
  /** Whether a plain call only reads, so that every option must be known. */
  readonly reads: boolean
}

export interface KnownProgram extends KnownTable {
  readonly table: Program
  readonly subcommands: ReadonlyMap<string, KnownTable> | null
}

export interface ProgramKnowledge {
  /** What is known of the program that is called so; null where nothing is. */
  readonly find: (name: string) => KnownProgram | null
}

export const programKnowledge = (programs: ReadonlyArray<Program>): ProgramKnowledge => {
  const tables = new Map<string, Program>()
  for (const program of programs) for (const name of program.names) tables.set(name, program)
  const known = new Map<Program, KnownProgram>()
  const indexed = (program: Program): KnownProgram => {
    const before = known.get(program)
    if (before !== undefined) return before
    const made = indexProgram(program)
    known.set(program, made)
    return made
  }
  return {
    find: (name) => {
      const program = tables.get(name)
      if (program !== undefined) return indexed(program)
      // `python3.12`, `perl5.36`: the version that is called. Never taken for a program that would run unasked.
      const plain = tables.get(name.replace(/-?[\d.]+$/, ""))
      return plain === undefined || plain.does === "reads" ? null : indexed(plain)
    }
  }
}

const indexTable = (table: Subcommand): KnownTable => ({
  table,
  index: indexOptions(table.options ?? []),
  reads: table.does === "reads"
})

const indexProgram = (table: Program): KnownProgram => ({
  table,
  index: indexOptions(table.options ?? []),
  reads: table.does === "reads",
  subcommands:
    table.subcommands === undefined
      ? null
      : new Map(Object.entries(table.subcommands).map(([name, subcommand]) => [name, indexTable(subcommand)]))
})
