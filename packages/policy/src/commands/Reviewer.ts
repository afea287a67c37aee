/** What one review carries from part to part: the question, the knowledge, and the notes taken so far. */
import type { Argument } from "./Argument.ts"
import type { CommandLookups } from "./CommandLookups.ts"
import type { PlaceContext } from "./CommandPlaces.ts"
import type { CommandQuestion } from "./CommandReview.ts"
import { type Deed, type Finding, gravityOf } from "./Finding.ts"
import type { ProgramKnowledge } from "./ProgramKnowledge.ts"
import type { Folders, ShellState } from "./ShellState.ts"

/** UTF-16 positions in the command under review. */
export type Span = readonly [start: number, end: number]

/** Maps positions of the text that was parsed to those of the command under review. */
export type Place = (pos: number, end: number) => Span

/** Where and how a piece of the command would run. */
export interface Situation {
  readonly shell: ShellState
  /** Folders that it may run in. */
  readonly folders: Folders
  /** Commands inside commands, and constructs of the grammar, above this piece. */
  readonly depth: number
  /** What is known of its standard input. */
  readonly input: Argument | null
}

/** Inside this piece, one level further down. */
export const below = (situation: Situation, input: Argument | null = situation.input): Situation => ({
  ...situation,
  depth: situation.depth + 1,
  input
})

/** The folders in which the next piece runs, by how this one ended. */
export interface Outcome {
  readonly ok: Folders
  readonly failed: Folders
}

/** UTF-16 units of scripts inside scripts that one review parses. */
const innerTextLimit = 192 * 1024
/** Changes of folder that one review follows. */
const movesLimit = 32
/** Scripts that do not parse, kept to be searched. */
const brokenLimit = 8
/** Calls of functions that one review follows. */
const callsLimit = 64

export class Reviewer {
  readonly question: CommandQuestion
  readonly knowledge: ProgramKnowledge
  readonly lookups: CommandLookups
  readonly places: PlaceContext
  readonly findings: Array<Finding> = []
  readonly parts: Array<ReadonlyArray<string>> = []
  readonly redirections: Array<ReadonlyArray<string>> = []
  readonly resolved: Record<string, string> = {}
  /** False as soon as the shell decides something at run time. */
  literal = true
  /** False where the text as a whole does not parse, or is too much to be parsed. */
  understood = true
  /** False where there were more scripts inside scripts than are followed. */
  followed = true
  /** Scripts, or scripts inside scripts, that do not parse. */
  readonly broken: Array<{ readonly text: string; readonly span: Span }> = []
  /** True as soon as a person has to read more than one plain command. */
  compound = false
  #innerText = 0
  #moves = 0
  #calls = 0

  constructor(question: CommandQuestion, knowledge: ProgramKnowledge, lookups: CommandLookups, places: PlaceContext) {
    this.question = question
    this.knowledge = knowledge
    this.lookups = lookups
    this.places = places
  }

  find(deed: Deed, rule: string, start: number, end: number): void {
    const { class: kind, risk } = gravityOf[deed]
    this.findings.push({ class: kind, risk, rule, start, end })
  }

  /** Something that only reads and still has to be asked about: what it reads is not everybody's. */
  findDelicateRead(rule: string, start: number, end: number): void {
    this.findings.push({ class: "read_only", risk: "high", rule, start, end })
  }

  addBroken(text: string, span: Span): void {
    if (this.broken.length < brokenLimit) this.broken.push({ text, span })
  }

  /** Whether another change of folder is followed. */
  mayMove(): boolean {
    this.#moves += 1
    return this.#moves <= movesLimit
  }

  /** Whether another call of a function is followed; it asks in any case, for its definition does. */
  mayCall(): boolean {
    this.#calls += 1
    if (this.#calls > callsLimit) this.followed = false
    return this.#calls <= callsLimit
  }

  /** Whether another inner script of this length may be parsed; asks where not. */
  mayParse(length: number, { scripts }: ShellState, start: number, end: number): boolean {
    this.#innerText += length
    scripts.left -= 1
    if (this.#innerText <= innerTextLimit && scripts.left > 0) return true
    this.followed = false
    this.find("asks", "holds more commands inside commands than are followed", start, end)
    return false
  }
}
