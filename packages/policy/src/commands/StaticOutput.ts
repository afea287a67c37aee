/**
 * What a piece of a command would print, where its text alone tells: `echo`, `printf`, here-documents, and the decoders
 * that hide such text. Used to look at what is fed to a shell, so a guess here can add suspicion and never removes any.
 */
import type { Command, CommandNode, PipelineNode, Redirection, Statement } from "unbash"
import { unknownText } from "./Argument.ts"
import { type ShellState, valuesOf } from "./ShellState.ts"
import { guessLimit, type Prints, readWord } from "./ShellWord.ts"

/** Levels of substitutions that are followed. */
const depthLimit = 8

/** A reader of inner scripts for {@link readWord}. */
export const printsOf = (shell: ShellState, depth = 0): Prints => {
  return (part) => {
    if (depth >= depthLimit || shell.scripts.left <= 0) return null
    shell.scripts.left -= 1
    return part.script === undefined ? null : printedByStatements(part.script.commands, shell, depth + 1)
  }
}

const printedByStatements = (statements: ReadonlyArray<Statement>, shell: ShellState, depth: number): string | null => {
  let all = ""
  for (const statement of statements) {
    const { command } = statement
    const nodes = command.type === "AndOr" ? command.commands : [command]
    for (const node of nodes) {
      const printed = printedByPipeline(node, shell, depth)
      if (printed === null || all.length + printed.length > guessLimit) return null
      all += printed
    }
  }
  return all
}

const printedByPipeline = (node: PipelineNode, shell: ShellState, depth: number): string | null => {
  if (node.type !== "Pipeline") return printedByCommand(node, null, shell, depth)
  let text: string | null = null
  for (const command of node.commands) text = printedByCommand(command, text, shell, depth)
  return text
}

/** What `node` prints when it is given `input`. */
export const printedByCommand = (
  node: CommandNode,
  input: string | null,
  shell: ShellState,
  depth = 0
): string | null => {
  switch (node.type) {
    case "Command":
      return printedBySimple(node, input, shell, depth)
    case "Subshell":
    case "BraceGroup":
      return printedByStatements(node.body.commands, shell, depth)
    case "Redirected":
      return node.command.type === "Subshell" || node.command.type === "BraceGroup"
        ? printedByStatements(node.command.body.commands, shell, depth)
        : null
    default:
      return null
  }
}

const printedBySimple = (command: Command, input: string | null, shell: ShellState, depth: number): string | null => {
  if (command.name === undefined) return ""
  const prints = printsOf(shell, depth)
  const [name, ...words] = [command.name, ...command.args].flatMap((word) =>
    word.type === "Word" ? readWord(word, shell, prints).values : [word.text]
  )
  return printedByWords(name ?? "", words, inputOf(command.redirects, shell, prints) ?? input)
}

const printedByWords = (path: string, words: ReadonlyArray<string>, given: string | null): string | null => {
  const name = path.replace(/^.*\//, "")
  switch (name) {
    case "echo":
      return `${words.filter((word) => !/^-[neE]+$/.test(word)).join(" ")}\n`
    case "printf":
      return formatted(words.filter((word) => word !== "--"))
    case ":":
    case "true":
      return ""
    case "cat":
    case "tee":
      return words.every((word) => word === "-" || name === "tee") ? given : null
    case "base64":
      return given !== null && words.some((word) => /^(?:-[a-zA-Z]*[dD]|--d)/.test(word)) ? decoded(given) : null
    case "rev":
      return given?.split("\n").map(reversed).join("\n") ?? null
    case "head":
    case "tail":
    case "grep":
    case "sort":
    case "uniq":
      // Some of its lines, in some order: the worst of them is among them.
      return given
    case "builtin":
    case "command":
    case "env":
    case "nice":
    case "nohup":
    case "setsid":
    case "stdbuf":
    case "sudo":
    case "time":
    case "timeout": {
      const start = words.findIndex((word) => printing.has(word.replace(/^.*\//, "")))
      return start < 0 ? null : printedByWords(words[start] ?? "", words.slice(start + 1), given)
    }
    default:
      return null
  }
}

/** Programs whose output {@link printedByWords} knows, as they stand behind a program that starts another. */
const printing: ReadonlySet<string> = new Set("echo printf cat tee base64 rev head tail grep sort uniq".split(" "))

/** The text that redirections put on standard input; null where there is none, or where it comes from a file. */
export const inputOf = (redirects: ReadonlyArray<Redirection>, shell: ShellState, prints: Prints): string | null => {
  let text: string | null = null
  for (const redirect of redirects) {
    if (redirect.type === "HereString" && redirect.target !== undefined) {
      text = `${readWord(redirect.target, shell, prints).values.join(" ")}\n`
    }
    if (redirect.type === "HereDoc")
      text = redirect.body.parts === undefined ? redirect.body.text : filled(redirect.body.parts, shell, prints)
    if (redirect.type === "Redirect" && redirect.operator === "<") text = null
  }
  return text
}

type BodyParts = NonNullable<Extract<Redirection, { readonly type: "HereDoc" }>["body"]["parts"]>

const filled = (parts: BodyParts, shell: ShellState, prints: Prints): string =>
  parts
    .map((part) => {
      switch (part.type) {
        case "Literal":
          return part.value
        case "SimpleExpansion":
          return valuesOf(part.text.slice(1), shell).join(" ")
        case "ParameterExpansion":
          return part.operation === undefined ? valuesOf(part.parameter, shell).join(" ") : unknownText
        case "CommandExpansion":
          return prints(part) ?? unknownText
        default:
          return unknownText
      }
    })
    .join("")

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "0": "\0" }

/** `printf`, as far as it matters here: `%s` and its like take the next word, the format repeats while words are left. */
const formatted = ([format = "", ...words]: ReadonlyArray<string>): string => {
  const plain = format.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|.)/gs, (_, code: string) => unescaped(code))
  let left = words
  let text = ""
  do {
    const before = left.length
    text += plain.replace(/%[-+ #0]*[\d*]*(?:\.\d*)?([a-zA-Z%])/g, (_, kind: string) => {
      if (kind === "%") return "%"
      const [word = "", ...rest] = left
      left = rest
      return kind === "b"
        ? word.replace(/\\(x[0-9a-fA-F]{1,2}|0?[0-7]{1,3}|.)/gs, (_all, code: string) => unescaped(code))
        : word
    })
    if (left.length === before) break
  } while (left.length > 0)
  return text
}

const unescaped = (code: string): string => {
  if (code.length > 1 && code.startsWith("x")) return String.fromCharCode(Number.parseInt(code.slice(1), 16))
  if (/^[0-7]+$/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff)
  return escapes[code] ?? `\\${code}`
}

const decoded = (text: string): string => Buffer.from(text.replace(/\s+/g, ""), "base64").toString("utf8")

const reversed = (line: string): string => [...line].reverse().join("")
