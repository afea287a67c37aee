/**
 * What the review knows about one program: a table that is written as data, one file each under `programs/`. What a
 * table does not name is not known, and what is not known asks.
 */
import type { Argument } from "./Argument.ts"
import type { Deed } from "./Finding.ts"

export interface Program {
  /** As it is typed. */
  readonly names: ReadonlyArray<string>
  /** What a plain call does. `reads` means: nothing but what the operands and options below say. */
  readonly does: Deed
  /** Why it asks, for people; not needed with `reads`. */
  readonly because?: string
  /** A part of the shell itself, found before any folder is searched. */
  readonly builtin?: true
  /** With `builtin`: a program of the system has the same name, and starts where it is called by its path. */
  readonly alsoProgram?: true
  /** What comes after it in the same shell runs in the folder that its operand names. */
  readonly movesShell?: true
  /** Every option of a `reads` program; for others those that change the answer. */
  readonly options?: ReadonlyArray<OptionGroup>
  readonly grammar?: OptionGrammar
  /** What the words are that are no options. Without it they are text. */
  readonly operands?: Operands
  /** The command that the program starts begins after this many operands. */
  readonly opens?: number
  /** It does nothing but start another command: that command alone is a part of the line. */
  readonly transparent?: true
  /** Whole argument lists that do nothing but print, `--version` say, for a program that asks otherwise. */
  readonly harmless?: ReadonlyArray<string>
  /** An unquoted pattern as operand can do no harm: at worst the program lists names in the workspace. */
  readonly patternsAreHarmless?: true
  /** The first operand selects one of these; another one asks. Overrides `operands`. */
  readonly subcommands?: Readonly<Record<string, Subcommand>>
  /** It removes, overwrites or changes what its operands name: looked for in the words of programs nobody knows. */
  readonly ruinsPlaces?: true
  /** The judge reads the options itself: those that the table lacks are not unknown. */
  readonly ownOptions?: true
  /** What a table cannot say. Runs after the table was applied; with subcommands, before that of the subcommand. */
  readonly judge?: Judge
  readonly examples: {
    /** Lines that run unasked. For a program that never does: lines where its name is only a word. */
    readonly allowed: ReadonlyArray<string>
    /** Lines that ask or are blocked. */
    readonly refused: ReadonlyArray<string>
  }
}

export type Subcommand = Omit<
  Program,
  | "names"
  | "examples"
  | "builtin"
  | "alsoProgram"
  | "movesShell"
  | "opens"
  | "transparent"
  | "harmless"
  | "subcommands"
  | "ruinsPlaces"
  | "patternsAreHarmless"
>

export type Judge = (line: Line, notes: Notes) => void

export interface OptionGrammar {
  /** A long option may be cut short where no other begins so (`getopt_long`). Default true. */
  readonly abbreviations?: false
  /** Options end at the first operand. Default false: options may follow operands. */
  readonly stopsAtOperand?: true
  /** `-20` is a number, also in a bundle (`-20f`). */
  readonly digits?: true
  /** Words with one hyphen are whole names (`-print`), never bundles. */
  readonly singleHyphen?: true
}

/** Options that mean the same. Names are written with their hyphens, separated by blanks. */
export interface OptionGroup {
  readonly names: string
  /** `none`; `next`: glued, after `=`, or the next word; `glued`: at most glued or after `=`; `two`: the next two words. */
  readonly value: "none" | "next" | "glued" | "two"
  readonly does: OptionDeed
}

/** What an option means: a deed, or what its value is. */
export type OptionDeed = Deed | ValueKind
/** `path` is read, `write` is written, `pattern` selects files by their names, `text` is nothing to the review. */
export type ValueKind = "path" | "write" | "pattern" | "text"

export interface Operands {
  /** Kinds of the first operands, in order. */
  readonly first?: ReadonlyArray<ValueKind | Deed>
  /** Kind of all others. */
  readonly rest: ValueKind | Deed
  /** With one of these options the first operand is what the others are (`grep -e PATTERN FILE`). */
  readonly firstGivenBy?: string
}

/** One option as it was used. */
export interface OptionUse {
  /** The name in the table, or as it was written where the table does not have it. */
  readonly name: string
  readonly group: OptionGroup | null
  readonly at: Argument
  readonly value: Argument | null
}

/** The words of one call, sorted. */
export interface Line {
  readonly name: Argument
  readonly args: ReadonlyArray<Argument>
  readonly uses: ReadonlyArray<OptionUse>
  readonly operands: ReadonlyArray<Argument>
  /** The name of the subcommand, where there is one. */
  readonly subcommand: Argument | null
}

/** Whether an option with one of these names was used. */
export const uses = (line: Line, names: string): boolean => {
  const wanted = names.split(" ")
  return line.uses.some((use) => wanted.includes(use.name))
}

/** Where a judge writes down what it sees. */
export interface Notes {
  readonly find: (deed: Deed, rule: string, at: Argument) => void
  /** The file at this path is read. */
  readonly reads: (path: Argument) => void
  /** The file at this path is made, changed or removed. */
  readonly writes: (path: Argument) => void
  /** A pattern that selects files by their names. */
  readonly selects: (pattern: Argument) => void
  /** A command that the program starts. `more` says that words from elsewhere are added to it. */
  readonly starts: (argv: ReadonlyArray<Argument>, more?: boolean) => void
  /** Text that a shell will read; `positional` are its `$0`, `$1` and so on. */
  readonly runsScript: (text: Argument, positional?: ReadonlyArray<Argument>) => void
  /** What is known of the text on standard input; null where nothing is. */
  readonly standardInput: Argument | null
  /** Whether removing or overwriting this path is ruin: the root, a home, a folder of the system. */
  readonly isRuinous: (path: Argument) => boolean
  /** The rest of this command line happens in this folder. */
  readonly movesTo: (folder: Argument) => void
  /** Names of settings that the repository here has and that match `wanted`; empty where nothing can be looked up. */
  readonly repositorySettings: (wanted: (key: string, value: string) => boolean) => ReadonlyArray<string>
}

/** Options without a value that do nothing to the answer. */
export const flags = (names: string): OptionGroup => ({ names, value: "none", does: "reads" })
/** Options with a value that does nothing to the answer. */
export const values = (names: string): OptionGroup => ({ names, value: "next", does: "reads" })
/** Options whose harmless value can only be glued. */
export const optional = (names: string): OptionGroup => ({ names, value: "glued", does: "reads" })
/** Options that name a file or folder to be read. */
export const paths = (names: string): OptionGroup => ({ names, value: "next", does: "path" })
/** Options that select files by a pattern. */
export const patterns = (names: string): OptionGroup => ({ names, value: "next", does: "pattern" })
/** Options that name a file to be written. */
export const writes = (names: string): OptionGroup => ({ names, value: "next", does: "write" })
/** Options that do something graver than the program itself. */
export const doing = (does: OptionDeed, names: string, value: OptionGroup["value"] = "none"): OptionGroup => ({
  names,
  value,
  does
})
