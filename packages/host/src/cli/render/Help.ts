/** The help of the command and of each verb: what a person needs, in two columns. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as CommandDescriptor from "@effect/cli/CommandDescriptor"
import type { HelpDoc } from "@effect/cli/HelpDoc"
import type { Span } from "@effect/cli/HelpDoc/Span"

type Described = CommandDescriptor.Command<unknown>

/** Sentences that the parser adds of itself, and that say nothing here. */
const boilerplate =
  /^(A user-defined piece of text\.|A true or false value\.|An integer\.|This setting is optional\.|One of the following: .*|This (argument|option) may be repeated zero or more times\.)$/

/** The verbs of the root in the order of a first day; one that is not named here stands at the end. */
const groups = [
  ["Start", ["tour", "init", "import", "doctor"]],
  ["Look before anything happens", ["catalog", "check"]],
  ["Run", ["call", "serve", "up", "connect", "tokens", "mcp"]],
  ["Answer, and look back", ["approvals", "events", "sessions", "tasks", "artifacts"]],
  ["Keep", ["store", "backup", "restore"]]
] as const

const examples = [
  ["gatehouse init my-agent", "a small agent core that works at once"],
  ["gatehouse catalog --core my-agent", "what a model would see"],
  ["gatehouse check command 'rm -rf build'", "how a command would be judged"],
  [`gatehouse call read_file '{"path":"README.md"}'`, "one effect; --view all --json shows all of it"]
] as const

/**
 * The help that `args` ask for, or null where they ask for none: `--help` or `-h` anywhere, `help` first, or nothing
 * where a verb is due.
 */
export const helpFor = (
  root: Described,
  args: ReadonlyArray<string>,
  version: string,
  columns: number
): string | null => {
  const end = args.indexOf("--")
  const words = end === -1 ? args : args.slice(0, end)
  const asked = words.includes("--help") || words.includes("-h") || words[0] === "help"
  const path: Array<string> = []
  let command = root
  for (const word of words[0] === "help" ? words.slice(1) : words) {
    if (word.startsWith("-")) continue
    const next = childrenOf(command).get(word)
    if (next === undefined) break
    path.push(word)
    command = next
  }
  if (!asked && !(isGroup(command) && words.length === path.length)) return null
  return path.length === 0 ? rootHelp(root, version, columns) : verbHelp(path, command, columns)
}

const rootHelp = (root: Described, version: string, columns: number): string => {
  const rows = verbsOf(root)
  const named: ReadonlyArray<string> = groups.flatMap(([, names]) => names)
  const other = rows.filter(([name]) => !named.includes(name))
  return [
    `gatehouse ${version}: ${summaryOf(root)}`,
    "",
    "Usage: gatehouse VERB [OPTIONS] ...",
    ...groups.flatMap(([title, names]) => [
      "",
      `${title}:`,
      ...table(
        names.flatMap((name) => rows.filter((row) => row[0] === name)),
        columns,
        11
      )
    ]),
    ...(other.length === 0 ? [] : ["", "More:", ...table(other, columns, 11)]),
    "",
    "Examples:",
    ...table(examples, columns, 48),
    "",
    "Options of every verb that needs them: --core DIR, --workspace DIR, --home DIR (or GATEHOUSE_HOME), --json.",
    "gatehouse VERB --help shows the rest. Exit status: 0 succeeded, 1 failed, 2 usage or invalid, 3 denied,",
    "4 not found, 5 timed out, 6 cancelled, 7 indeterminate."
  ].join("\n")
}

const verbHelp = (path: ReadonlyArray<string>, command: Described, columns: number): string => {
  const sections = sectionsOf(command)
  const args = definitionsOf(sections.get("ARGUMENTS"))
  const options = definitionsOf(sections.get("OPTIONS"))
  const verbs = verbsOf(command)
  const own = [
    ...(options.length === 0 ? [] : ["[OPTIONS]"]),
    ...args.map(({ name, optional }) => (optional ? `[${bare(name)}]` : bare(name)))
  ].join(" ")
  const name = `gatehouse ${path.join(" ")}`
  return [
    `${name}: ${summaryOf(command)}`,
    "",
    `Usage: ${name}${isGroup(command) ? " VERB" : ""}${own === "" ? "" : ` ${own}`}`,
    ...section(isGroup(command) ? "Verbs" : "Also", verbs, columns),
    ...section(
      "Arguments",
      args.map(({ name, text }) => [bare(name), text]),
      columns
    ),
    ...section(
      "Options",
      options.map(({ name, text }) => [name.replace(/^\((.*)\)$/, "$1"), text]),
      columns
    )
  ].join("\n")
}

const bare = (name: string): string => name.replace(/[<>]/g, "").replace(/^(\S+) .*\|.*$/, "$1")

const section = (title: string, rows: ReadonlyArray<readonly [string, string]>, columns: number) =>
  rows.length === 0 ? [] : ["", `${title}:`, ...table(rows, columns)]

/** A verb that does nothing without a further one. */
const isGroup = (command: Described): boolean =>
  childrenOf(command).size > 0 && !["ARGUMENTS", "OPTIONS"].some((title) => sectionsOf(command).has(title))

/** The verbs right below a command, in the order of their declaration. */
const verbsOf = (command: Described): ReadonlyArray<readonly [string, string]> =>
  [...childrenOf(command)].map(([name, child]) => [name, summaryOf(child)])

/** The library's own list goes one level deep only, so this walks what a command is made of. */
const childrenOf = (command: unknown): ReadonlyMap<string, Described> => {
  const inner = part(command, "command")
  if (inner !== undefined) return childrenOf(inner)
  const children = part(command, "children")
  const found = Array.isArray(children) ? children.filter(isDescribed) : []
  return new Map(found.map((child) => [nameOf(child), child]))
}

const nameOf = (command: unknown): string =>
  String(part(command, "name") ?? nameOf(part(command, "command") ?? part(command, "parent")))

const isDescribed = (value: unknown): value is Described => part(value, "_tag") !== undefined

const part = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const summaryOf = (command: Described): string =>
  (sectionsOf(command).get("DESCRIPTION") ?? []).map(textOf).join(" ").trim()

/** What stands below each header. */
const sectionsOf = (command: Described): ReadonlyMap<string, ReadonlyArray<HelpDoc>> => {
  const sections = new Map<string, Array<HelpDoc>>()
  let current: Array<HelpDoc> = []
  for (const block of blocksOf(CommandDescriptor.getHelp(command, CliConfig.make({ showBuiltIns: false })))) {
    if (block._tag === "Header") {
      current = []
      sections.set(spanText(block.value), current)
    } else current.push(block)
  }
  return sections
}

const blocksOf = (doc: HelpDoc): ReadonlyArray<HelpDoc> => {
  if (doc._tag === "Sequence") return [...blocksOf(doc.left), ...blocksOf(doc.right)]
  return doc._tag === "Empty" ? [] : [doc]
}

const definitionsOf = (docs: ReadonlyArray<HelpDoc> = []) =>
  docs.flatMap((doc) =>
    doc._tag === "DescriptionList"
      ? doc.definitions.map(([span, text]) => {
          const said = blocksOf(text).map(textOf)
          return {
            name: spanText(span).trim(),
            text: said.filter((line) => line !== "" && !boilerplate.test(line)).join("\n"),
            optional: said.some((line) => line.includes("This setting is optional"))
          }
        })
      : []
  )

const textOf = (doc: HelpDoc): string => {
  if (doc._tag === "Header" || doc._tag === "Paragraph") return spanText(doc.value)
  if (doc._tag === "Enumeration") return doc.elements.map(textOf).join("\n")
  return blocksOf(doc).length > 1 ? blocksOf(doc).map(textOf).join("\n") : ""
}

const spanText = (span: Span): string => {
  if (span._tag === "Text" || span._tag === "URI") return span.value
  return span._tag === "Sequence" ? spanText(span.left) + spanText(span.right) : spanText(span.value)
}

/** A name wider than this has its text on the next line. */
const widest = 34

const table = (rows: ReadonlyArray<readonly [string, string]>, columns: number, least = 0): ReadonlyArray<string> => {
  const fitting = rows.map(([name]) => name.length).filter((length) => length <= widest)
  const width = Math.max(least, ...fitting, 0)
  return rows.flatMap(([name, text]) => {
    const lines = text.split("\n").flatMap((line) => wrapped(line, Math.max(30, columns - width - 4)))
    const [first = "", ...rest] = name.length > width ? ["", ...lines] : lines
    return [
      `  ${name.padEnd(width)}  ${first}`.trimEnd(),
      ...rest.map((line) => `  ${" ".repeat(width)}  ${line}`.trimEnd())
    ]
  })
}

const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return [...lines, line]
}
