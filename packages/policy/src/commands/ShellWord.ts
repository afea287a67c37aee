/** Takes a word of the grammar apart: what it says after quote removal, and what only the shell can decide. */
import type { DoubleQuotedChild, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash"
import { type Argument, homeMark, unknownText } from "./Argument.ts"
import { type ShellState, valuesOf } from "./ShellState.ts"

/** Something in a word that the shell decides when it runs. */
export interface RunTime {
  readonly kind: "expansion" | "substitution" | "pattern" | "spelling"
  readonly rule: string
  /** Positions in the text that was parsed. */
  readonly pos: number
  readonly end: number
}

export interface WordReading {
  /** The words that it becomes, as far as known: usually one. */
  readonly values: ReadonlyArray<string>
  readonly runTime: ReadonlyArray<RunTime>
}

/** What the script of a substitution would print; null where nobody knows. It is parsed when it is first asked for. */
export type Prints = (part: { readonly script: ParsedScript | undefined }) => string | null

const nothing: ReadonlyArray<RunTime> = []

export const readWord = (word: Word, shell: ShellState, prints: Prints): WordReading => {
  const { text, parts } = word
  const tilde = text.includes("~") ? tildeIn(word) : text.startsWith("!") ? historyIn(word) : null
  if (parts === undefined) {
    const value = tilde?.rule === tildeRule ? atHome(word.value) : word.value
    const late =
      tilde ??
      (oldArithmetic.test(text)
        ? { kind: "expansion" as const, rule: arithmeticRule, pos: word.pos, end: word.end }
        : null)
    return { values: [value], runTime: late === null ? nothing : [late] }
  }
  const reader = new WordReader(shell, prints)
  if (tilde !== null) reader.runTime.push(tilde)
  for (const part of parts) reader.part(part)
  const values = reader.words()
  if (tilde !== null && text.startsWith("~") && values[0] !== undefined) values[0] = atHome(values[0])
  return { values, runTime: reader.runTime }
}

/** `argument` for each value of a word, at one place. */
export const asArguments = (reading: WordReading, start: number, end: number): ReadonlyArray<Argument> =>
  reading.values.map((value) => ({ value, start, end, literal: reading.runTime.length === 0 }))

/** `!!`, `!$`, `!-1`: a shell that somebody types into puts older words there. */
const historyIn = ({ text, pos, end }: Word): RunTime | null =>
  /^!(?:[!$*^?#:]|-?\d)/.test(text) ? { kind: "expansion", rule: "! may bring back older words", pos, end } : null

const arithmeticRule = "arithmetic is worked out at run time"

/** `$[…]`, which bash still reads as arithmetic and other shells do not. */
const oldArithmetic = /(?:^|[^\\])\$\[/

const tildeRule = "~ is a home folder, which the shell fills in"

/** An unquoted tilde where a shell may expand it: at the beginning, after `=`, after `:`. */
const tildeIn = ({ text, pos, end }: Word): RunTime | null =>
  /^~|^[^'"\\]*[=:]~/.test(text) ? { kind: "expansion", rule: tildeRule, pos, end } : null

const atHome = (value: string): string => value.replace(/^~[\w.+-]*/, homeMark).replace(/([=:])~/g, `$1${homeMark}`)

/** Marks blanks at which an unquoted expansion is split into words. */
const splitMark = "\uE003"

class WordReader {
  readonly runTime: Array<RunTime> = []
  #texts: Array<string> = [""]
  /** Quotes make a word even of nothing. */
  #quoted = false
  readonly #shell: ShellState
  readonly #prints: Prints

  constructor(shell: ShellState, prints: Prints) {
    this.#shell = shell
    this.#prints = prints
  }

  words(): Array<string> {
    const words: Array<string> = []
    for (const text of this.#texts) {
      const pieces = text.includes(splitMark) ? text.split(splitMark).filter((piece) => piece !== "") : [text]
      for (const piece of pieces) if (piece !== "" || this.#quoted || this.runTime.length === 0) words.push(piece)
    }
    return words
  }

  part(part: WordPart): void {
    switch (part.type) {
      case "Literal":
        if (part.text.includes("$[")) this.#notice("expansion", arithmeticRule, part)
        return this.#append(part.value)
      case "SingleQuoted":
        this.#quoted = true
        return this.#append(part.value)
      case "DoubleQuoted":
        this.#quoted = true
        for (const child of part.parts) this.#expansion(child, true)
        return
      case "AnsiCQuoted":
        this.#quoted = true
        this.#notice("spelling", "$'…' spells characters by their codes", part)
        return this.#append(part.value)
      case "LocaleString":
        this.#quoted = true
        this.#notice("spelling", '$"…" is translated at run time', part)
        for (const child of part.parts) this.#expansion(child, true)
        return
      case "Glob":
        this.#notice("pattern", "a pattern: the shell fills in names that the text does not show", part)
        return this.#append(part.text)
      case "ExtendedGlob":
        this.#notice("pattern", "a pattern: the shell fills in names that the text does not show", part)
        return this.#append("*")
      case "BraceExpansion":
        this.#notice("spelling", "braces make words that the text does not show", part)
        return this.#extend(braceWords(part.text))
      case "ProcessSubstitution":
        this.#notice("substitution", "a process substitution runs commands of its own", part)
        return this.#append(`/dev/fd/${unknownText}`)
      default:
        return this.#expansion(part, false)
    }
  }

  #expansion(part: DoubleQuotedChild, quoted: boolean): void {
    switch (part.type) {
      case "Literal":
        return this.#append(part.value)
      case "SimpleExpansion": {
        this.#notice("expansion", "a variable: the shell fills in its value", part)
        return this.#extend(this.#fill(valuesOf(part.text.slice(1), this.#shell), quoted))
      }
      case "ParameterExpansion":
        this.#notice("expansion", "a variable: the shell fills in its value", part)
        return this.#extend(this.#fill(this.#parameter(part), quoted))
      case "CommandExpansion": {
        this.#notice("substitution", "a command substitution runs first", part)
        const printed = this.#prints(part)
        return this.#extend(this.#fill([printed === null ? unknownText : printed.replace(/\n+$/, "")], quoted))
      }
      case "ArithmeticExpansion":
        this.#notice("expansion", arithmeticRule, part)
        return this.#append(unknownText)
    }
  }

  #parameter(part: ParameterExpansionPart): ReadonlyArray<string> {
    if (part.prefix !== undefined || part.index !== undefined) return [unknownText]
    const values = valuesOf(part.parameter, this.#shell)
    const { operation } = part
    if (operation === undefined) return values
    if (operation.type !== "Default") return [unknownText]
    const set = values.some((value) => value !== "")
    switch (operation.operator) {
      case "?":
      case ":?":
        // Where nothing is set the shell stops here.
        return values.map((value) => (value === "" ? unknownText : value))
      case "+":
      case ":+":
        return set ? this.#operand(operation.operand) : [""]
      default:
        return set ? values : this.#operand(operation.operand)
    }
  }

  #operand(word: Word): ReadonlyArray<string> {
    return readWord(word, this.#shell, this.#prints).values
  }

  #fill(values: ReadonlyArray<string>, quoted: boolean): ReadonlyArray<string> {
    return quoted ? values : values.map((value) => value.replace(/[ \t\n]+/g, splitMark))
  }

  #append(text: string): void {
    this.#texts = this.#texts.map((before) => joined(before, text))
  }

  /** Continues with each of these, up to a bound; beyond it with the first of them. */
  #extend(texts: ReadonlyArray<string>): void {
    const most = this.#texts.length * texts.length > wordsLimit ? texts.slice(0, 1) : texts
    this.#texts = this.#texts.flatMap((before) => most.map((text) => joined(before, text)))
  }

  #notice(kind: RunTime["kind"], rule: string, { pos, end }: { readonly pos: number; readonly end: number }): void {
    this.runTime.push({ kind, rule, pos, end })
  }
}

/** UTF-16 units of a guess: a variable that doubles itself is not followed for ever. */
export const guessLimit = 64 * 1024

const joined = (before: string, text: string): string =>
  before.length + text.length > guessLimit ? unknownText : before + text

/** Words that one word is followed into. */
const wordsLimit = 16

/** `{a,b}` as the shell would take it apart; what is nested or a range stays unknown. */
const braceWords = (text: string): ReadonlyArray<string> => {
  const inner = text.slice(1, -1)
  return /[{}]|\.\./.test(inner) || !inner.includes(",") ? [unknownText] : inner.replace(/['"\\]/g, "").split(",")
}
