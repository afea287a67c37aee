/**
 * Commands that git is told to start by its own words: they are reviewed as any other. They never make a line milder,
 * each of them asks already.
 *
 * Sources: git-config(1), git-rebase(1), git-bisect(1), git-submodule(1), git-filter-branch(1), git-difftool(1).
 */
import { type Argument, tailOf } from "../Argument.ts"
import type { Judge, Line, Notes } from "../Program.ts"

/** `-c alias.x='!command'`, `-c core.pager=command`: the command in a setting that names one. */
export const judgeGivenSettings = (line: Line, notes: Notes): void => {
  for (const { name, value } of line.uses) {
    if (name !== "-c" || value === null) continue
    const equals = value.value.indexOf("=")
    const key = value.value.slice(0, equals).toLowerCase()
    const command = tailOf(value, equals + 1)
    if (command.value.startsWith("!")) notes.runsScript(tailOf(command, 1))
    else if (equals > 0 && namesCommand.test(key)) notes.runsScript(command)
  }
}

const namesCommand =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|fsmonitor|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|interactive\.difffilter|pager\..+|gpg\.(?:.+\.)?program|credential\.(?:.+\.)?helper|uploadpack\.packobjectshook|(?:diff|merge|filter|difftool|mergetool|browser|man|trailer|remote|tar|submodule)\..+\.(?:command|cmd|driver|textconv|clean|smudge|process|uploadpack|receivepack|update))$/

/** What stands behind the subcommand, by its name. */
export const commandsOf: Readonly<Record<string, Judge>> = {
  bisect: (line, notes) => startsAfter(line, "run", notes),
  submodule: (line, notes) => startsAfter(line, "foreach", notes),
  rebase: (line, notes) => runsValues(line, /^(?:-x|--exec)$/, notes),
  difftool: (line, notes) => runsValues(line, /^(?:-x|--extcmd)$/, notes),
  "filter-branch": (line, notes) => runsValues(line, /^--(?:setup|[a-z]+(?:-name)?-filter)$/, notes)
}

/** `git submodule foreach [options] command…`: one word is a script, several are a command. */
const startsAfter = (line: Line, mark: string, notes: Notes): void => {
  const from = line.args.findIndex(({ value }) => value === mark)
  if (from < 0) return
  const rest = line.args.slice(from + 1)
  const command = rest.slice(
    Math.max(
      0,
      rest.findIndex(({ value }) => !value.startsWith("-"))
    )
  )
  const [script] = command
  if (script === undefined) return
  if (command.length === 1) notes.runsScript(script)
  else notes.starts(command)
}

const runsValues = (line: Line, option: RegExp, notes: Notes): void => {
  for (const [index, word] of line.args.entries()) {
    const script = valueOf(word, line.args[index + 1], option)
    if (script !== undefined) notes.runsScript(script)
  }
}

/** The value of an option as the next word, after `=`, or glued to one letter. */
const valueOf = (word: Argument, next: Argument | undefined, option: RegExp): Argument | undefined => {
  if (option.test(word.value)) return next
  const equals = word.value.indexOf("=")
  if (equals > 0 && option.test(word.value.slice(0, equals))) return tailOf(word, equals + 1)
  return !word.value.startsWith("--") && option.test(word.value.slice(0, 2)) ? tailOf(word, 2) : undefined
}
