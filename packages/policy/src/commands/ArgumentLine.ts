/**
 * Sorts the words of a call into options and operands, as `getopt_long` does: bundles, glued values, `=`, abbreviations,
 * options after operands, `--`. Source: GNU C library manual, "Parsing program options using getopt"; POSIX.1-2017
 * section 12.2 (utility syntax guidelines).
 */

import { risks } from "@gatehouse/core/Risk"
import { type Argument, tailOf } from "./Argument.ts"
import { gravityOf } from "./Finding.ts"
import type { Line, OptionDeed, OptionGrammar, OptionGroup, OptionUse } from "./Program.ts"

/** A table's options by name. */
export interface OptionIndex {
  readonly groups: ReadonlyMap<string, OptionGroup>
  /** Names with two hyphens. */
  readonly long: ReadonlyArray<string>
}

export const indexOptions = (options: ReadonlyArray<OptionGroup>): OptionIndex => {
  const groups = new Map<string, OptionGroup>()
  for (const group of options) for (const name of group.names.split(/\s+/)) groups.set(name, group)
  return { groups, long: [...groups.keys()].filter((name) => name.startsWith("--")) }
}

const noGrammar: OptionGrammar = {}

export const sortArguments = (
  name: Argument,
  args: ReadonlyArray<Argument>,
  index: OptionIndex,
  grammar: OptionGrammar = noGrammar
): Line => {
  const found: Array<OptionUse> = []
  const operands: Array<Argument> = []
  let at = 0
  const take = (): Argument | null => args[++at] ?? null
  for (; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    const text = word.value
    if (text === "--") {
      operands.push(...args.slice(at + 1))
      break
    }
    if (!text.startsWith("-") || text === "-") {
      operands.push(word)
      if (!grammar.stopsAtOperand) continue
      operands.push(...args.slice(at + 1))
      break
    }
    if (text.startsWith("--")) longOption(word, index, grammar, take, found)
    else if (grammar.singleHyphen || (text.length > 2 && index.groups.has(text))) wholeOption(word, index, take, found)
    else bundle(word, index, grammar, take, found)
  }
  return { name, args, uses: found, operands, subcommand: null }
}

type Take = () => Argument | null

const longOption = (
  word: Argument,
  index: OptionIndex,
  grammar: OptionGrammar,
  take: Take,
  found: Array<OptionUse>
): void => {
  const equals = word.value.indexOf("=")
  const written = equals < 0 ? word.value : word.value.slice(0, equals)
  const name = index.groups.has(written) ? written : nameMeant(written, index, grammar)
  const group = index.groups.get(name) ?? null
  const glued = equals < 0 ? null : tailOf(word, equals + 1)
  if (group !== null && group.value === "none" && glued !== null) {
    // A value for an option that takes none: not the option that the table knows.
    found.push({ name, group: null, at: word, value: glued })
    return
  }
  found.push({ name, group, at: word, value: glued ?? (group === null ? null : following(group, take)) })
}

/** The option that an abbreviation stands for; the gravest where several begin so. */
const nameMeant = (written: string, index: OptionIndex, grammar: OptionGrammar): string => {
  if (grammar.abbreviations === false) return written
  let meant = written
  let gravest = -1
  for (const name of index.long) {
    if (!name.startsWith(written)) continue
    const weight = weigh(index.groups.get(name)?.does ?? "asks")
    if (weight > gravest) {
      gravest = weight
      meant = name
    }
  }
  return meant
}

const weigh = (does: OptionDeed): number => {
  switch (does) {
    case "text":
      return 0
    case "path":
    case "pattern":
      return 1
    case "write":
      return risks.indexOf("medium") + 1
    default:
      return risks.indexOf(gravityOf[does].risk) + 1
  }
}

const wholeOption = (word: Argument, index: OptionIndex, take: Take, found: Array<OptionUse>): void => {
  const group = index.groups.get(word.value) ?? null
  found.push({ name: word.value, group, at: word, value: group === null ? null : following(group, take) })
}

const following = (group: OptionGroup, take: Take): Argument | null => {
  if (group.value === "next") return take()
  if (group.value !== "two") return null
  take()
  return take()
}

const bundle = (
  word: Argument,
  index: OptionIndex,
  grammar: OptionGrammar,
  take: Take,
  found: Array<OptionUse>
): void => {
  const letters = word.value
  for (let at = 1; at < letters.length; at++) {
    const letter = letters[at] ?? ""
    if (grammar.digits && letter >= "0" && letter <= "9") continue
    const name = `-${letter}`
    const group = index.groups.get(name) ?? null
    if (group === null) {
      // What an unknown letter does with the rest of the word is unknown as well.
      found.push({ name, group: null, at: word, value: null })
      return
    }
    if (group.value === "none") {
      found.push({ name, group, at: word, value: null })
      continue
    }
    const rest = at + 1 < letters.length ? tailOf(word, at + 1) : null
    found.push({ name, group, at: word, value: rest ?? following(group, take) })
    return
  }
}
