/** What a shell would remember between two of its commands, as far as the text tells. */
import { type Argument, homeMark, unknownText } from "./Argument.ts"
import type { Situation } from "./Reviewer.ts"

/** Folders that a command may run in: several where it depends on how an earlier `cd` went. */
export type Folders = ReadonlyArray<string>

/** More than this many possible folders are not followed: the rest becomes {@link unknownFolder}. */
export const foldersLimit = 8

/** A folder that nobody knows: every relative path in it counts as outside. */
export const unknownFolder = `/${unknownText}`

/** Scripts inside scripts that one review looks into. */
const innerScriptsLimit = 1024

export type CallFunction = (name: Argument, args: ReadonlyArray<Argument>, situation: Situation) => void

export interface ShellState {
  /** Possible values of a variable that the text sets; null where nobody knows. */
  readonly variables: Map<string, ReadonlyArray<string> | null>
  /** True once the shell has read text from elsewhere, which may have set anything. */
  readonly elsewhere: { read: boolean }
  /** Functions that the text defines, each ready to be called with the words of a command. */
  readonly functions: Map<string, CallFunction>
  /** Inner scripts that are still looked into; shared by all shells of one review. */
  readonly scripts: { left: number }
  /** Names of variables that the call adds to the environment: set, with values that the text does not tell. */
  readonly overlay: ReadonlySet<string>
}

export const newShell = (overlay: ReadonlyArray<string>): ShellState => ({
  variables: new Map(),
  elsewhere: { read: false },
  functions: new Map(),
  scripts: { left: innerScriptsLimit },
  overlay: new Set(overlay)
})

/**
 * What a variable may hold. The child's environment is an allowlist, so a name that is neither set by the text nor by
 * the call, nor one of a shell's own, is not set: it vanishes, and `rm -rf "$DIR/"` removes the root.
 */
export const valuesOf = (name: string, shell: ShellState): ReadonlyArray<string> => {
  if (shell.variables.has(name)) return shell.variables.get(name) ?? [unknownText]
  if (name === "HOME") return [homeMark]
  if (name === "PWD") return ["."]
  if (name === "IFS") return [" "]
  if (shell.elsewhere.read || shell.overlay.has(name) || !/^[A-Za-z_]\w*$/.test(name) || isInherited(name))
    return [unknownText]
  return [""]
}

/** The variables of a shell, with the words of a call as `$0`, `$1` and so on. */
export const withPositional = (shell: ShellState, positional: ReadonlyArray<Argument>): ShellState["variables"] => {
  const variables = new Map(shell.variables)
  for (const [index, argument] of positional.entries()) variables.set(String(index), [argument.value])
  const rest = positional.slice(1).map(({ value }) => value)
  for (const all of ["@", "*"]) if (rest.length > 0) variables.set(all, rest)
  return variables
}

const readingBuiltins = new Set(["read", "mapfile", "readarray", "getopts", "printf", "let", "wait", "select"])
const declaringBuiltins = new Set(["export", "declare", "typeset", "local", "readonly"])

/** What a builtin of the shell does to variables, besides the assignments among its words. */
export const rememberBuiltin = (name: string, args: ReadonlyArray<string>, shell: ShellState): void => {
  if (name === "source" || name === "." || name === "eval") shell.elsewhere.read = true
  const sets = readingBuiltins.has(name)
  if (!sets && !declaringBuiltins.has(name) && name !== "unset") return
  for (const word of args) {
    const variable = /^[A-Za-z_]\w*/.exec(word)?.[0]
    if (variable === undefined) continue
    if (name === "unset") shell.variables.set(variable, [""])
    else if (sets || !shell.variables.has(variable)) shell.variables.set(variable, null)
  }
}

/** Names that a child's environment may hold, and those that shells set themselves (bash(1), "Shell Variables"). */
const isInherited = (name: string): boolean => inherited.has(name) || /^(?:LC_|BASH|COMP|XDG_)/.test(name)

const inherited = new Set(
  `PATH USER LOGNAME SHELL LANG LANGUAGE TERM COLORTERM TZ TMPDIR TMP TEMP EDITOR VISUAL PAGER DISPLAY HOSTNAME
    HOSTTYPE MACHTYPE OSTYPE OLDPWD SHLVL PPID UID EUID RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO
    REPLY OPTARG OPTIND DIRSTACK FUNCNAME GROUPS PIPESTATUS HISTCMD COLUMNS LINES _ NO_COLOR CI SSH_AUTH_SOCK
    NODE_ENV PS1 PS2 PS4 MAPFILE COPROC SHELLOPTS`.split(/\s+/)
)
