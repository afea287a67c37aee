import { assert, describe, it } from "@effect/vitest"
import type { OptionGroup } from "@gatehouse/policy/commands/Program"
import { programs } from "@gatehouse/policy/commands/programs/Programs"
import * as fc from "fast-check"
import { type Command, forEachChild, parse, type SyntaxNode, type Word } from "unbash"
import { exampleLines, isSofter, review, vectorLines } from "./Reviews.ts"

const lines = [...new Set([...vectorLines, ...exampleLines])]
/** A mark inside another control sequence makes it another text; these have none. */
const plainLine = fc.constantFrom(...lines.filter((line) => /^[\t\n -~]*$/.test(line)))
const parsedLines = lines.filter((line) => parse(line).errors === undefined)
const parsedLine = fc.constantFrom(...parsedLines)
const runs = { numRuns: 1500 }

const notSofter = (varied: string, line: string): void => {
  const [before, after] = [review(line), review(varied)]
  assert.isFalse(
    isSofter(after, before),
    `${JSON.stringify(varied)} is ${after.decision}/${after.risk}; ${JSON.stringify(line)} is ${before.decision}/${before.risk}`
  )
}

/** The simple commands at the top of a line, not those inside its words. */
const commandsOf = (line: string): ReadonlyArray<Command> => {
  const found: Array<Command> = []
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command") found.push(node)
    else if (node.type !== "Word") forEachChild(node, visit)
  }
  visit(parse(line))
  return found
}

const wordsOf = (command: Command): ReadonlyArray<Word> =>
  [command.name, ...command.args].filter((word): word is Word => word !== undefined && word.type === "Word")

const replaced = (line: string, pos: number, end: number, text: string): string =>
  line.slice(0, pos) + text + line.slice(end)

describe("a command never gets a softer answer", () => {
  it("with other blanks between its words", () => {
    fc.assert(
      fc.property(parsedLine, fc.nat(), fc.constantFrom("  ", "\t", " \t ", " \\\n "), (line, at, blank) => {
        const gaps = commandsOf(line).flatMap((command) => {
          const words = wordsOf(command)
          return words.slice(1).map((word, index) => [words[index]?.end ?? 0, word.pos] as const)
        })
        const gap = gaps[at % Math.max(1, gaps.length)]
        if (gap === undefined || !/^[ \t]+$/.test(line.slice(gap[0], gap[1]))) return
        notSofter(replaced(line, gap[0], gap[1], blank), line)
      }),
      runs
    )
  })

  it("with other quotes around its words", () => {
    const quotings: ReadonlyArray<(value: string) => string> = [
      (value) => `'${value}'`,
      (value) => `"${value}"`,
      (value) => `${value.slice(0, 1)}''${value.slice(1)}`,
      (value) => `${value.slice(0, 1)}"${value.slice(1)}"`,
      (value) => `\\${value}`,
      (value) => `${value.slice(0, -1)}\\${value.slice(-1)}`,
      (value) => `$'${value}'`
    ]
    fc.assert(
      fc.property(parsedLine, fc.nat(), fc.constantFrom(...quotings), (line, at, quote) => {
        const words = commandsOf(line).flatMap(wordsOf)
        const plain = words.filter((word) => word.parts === undefined && /^[\w./:=@,+-]+$/.test(word.text))
        const word = plain[at % Math.max(1, plain.length)]
        if (word !== undefined) notSofter(replaced(line, word.pos, word.end, quote(word.text)), line)
      }),
      runs
    )
  })

  it("inside another command, to any depth", () => {
    const simple = (line: string): boolean =>
      commandsOf(line).length === 1 && parse(line).commands[0]?.command.type === "Command"
    const quoted = (line: string): string => `'${line.replaceAll("'", "'\\''")}'`
    const wraps: ReadonlyArray<(line: string) => string | null> = [
      (line) => `(${line}\n)`,
      (line) => `{ ${line}\n}`,
      (line) => `ls && { ${line}\n}`,
      (line) => `ls; ${line}`,
      (line) => `true || { ${line}\n}`,
      (line) => `ls | { ${line}\n}`,
      (line) => `! { ${line}\n}`,
      (line) => `if ls; then ${line}\nfi`,
      (line) => `for i in 1; do ${line}\ndone`,
      (line) => `case a in a) ${line}\nesac`,
      (line) => `f() { ${line}\n}; f`,
      (line) => `echo "$(${line}\n)"`,
      (line) => `cat <(${line}\n)`,
      (line) => `x=$(${line}\n)`,
      (line) => `sh -c ${quoted(line)}`,
      (line) => `bash -ec ${quoted(line)}`,
      (line) => `eval ${quoted(line)}`,
      (line) => `su -c ${quoted(line)}`,
      (line) => `sudo sh -c ${quoted(line)}`,
      (line) => `env -S ${quoted(`sh -c ${quoted(line)}`)}`,
      (line) => (line.includes("EOF") ? null : `bash <<'EOF'\n${line}\nEOF`),
      (line) => (simple(line) ? `env ${line}` : null),
      (line) => (simple(line) ? `timeout -k 1 5s ${line}` : null),
      (line) => (simple(line) ? `nice -n 5 ${line}` : null),
      (line) => (simple(line) ? `nohup ${line}` : null),
      // What is on standard input is words to xargs, not code to what it starts.
      (line) => (simple(line) && !line.includes("<<") ? `xargs -r ${line}` : null),
      (line) => (simple(line) ? `time ${line}` : null)
    ]
    fc.assert(
      fc.property(parsedLine, fc.array(fc.nat(wraps.length - 1), { minLength: 1, maxLength: 4 }), (line, chosen) => {
        // A word that only a prefix position gives its meaning (an assignment) is not a wrapped command's first word.
        if (/^[A-Za-z_]\w*=|^[<>]|^!|^time\b|^#|#[^'"]*$/.test(line)) return
        let wrapped = line
        for (const index of chosen) wrapped = wraps[index]?.(wrapped) ?? wrapped
        notSofter(wrapped, line)
      }),
      runs
    )
  })

  it("with marks in it that nobody sees", () => {
    const marks = ["\u200b", "\u00ad", "\ufeff", "\u202e", "\u001b[0m", "\u001b[2K", "\u0000", "\u2060", "\ud800", "\r"]
    fc.assert(
      fc.property(plainLine, fc.nat(), fc.constantFrom(...marks), (line, at, mark) => {
        const place = at % (line.length + 1)
        const varied = line.slice(0, place) + mark + line.slice(place)
        notSofter(varied, line)
        assert.notStrictEqual(review(varied).decision, "allow", JSON.stringify(varied))
      }),
      runs
    )
  })

  it("in full-width letters", () => {
    const wide = (text: string): string =>
      text.replace(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
    fc.assert(
      fc.property(plainLine, fc.nat(), fc.integer({ min: 1, max: 6 }), (line, at, length) => {
        const place = at % Math.max(1, line.length)
        const piece = line.slice(place, place + length)
        if (!/[!-~]/.test(piece)) return
        notSofter(line.slice(0, place) + wide(piece) + line.slice(place + length), line)
      }),
      runs
    )
  })

  it("after or before a harmless one", () => {
    fc.assert(
      fc.property(
        parsedLine,
        fc.constantFrom("; ls", "\nls", " && ls", " || ls"),
        fc.constantFrom("ls; ", "ls\n", "pwd && "),
        (line, after, before) => {
          if (/<<|#|[&;\\]\s*$/.test(line)) return
          notSofter(line + after, line)
          notSofter(before + line, line)
        }
      ),
      runs
    )
  })
})

describe("a grave option never goes unnoticed", () => {
  const grave = new Set<OptionGroup["does"]>(["asks", "runs", "changes", "controls", "network", "write"])
  const tables = programs.flatMap((program) => [
    { name: program.names[0] ?? "", table: program },
    ...Object.entries(program.subcommands ?? {}).map(([name, table]) => ({
      name: `${program.names[0]} ${name}`,
      table
    }))
  ])
  const cases = tables.flatMap(({ name, table }) => {
    const options = table.options ?? []
    if (table.does !== "reads") return []
    const letters = options
      .filter(({ value, does }) => value === "none" && does === "reads")
      .flatMap(({ names }) => names.split(/\s+/).filter((option) => /^-[A-Za-z]$/.test(option)))
    return options
      .filter(({ does }) => grave.has(does))
      .flatMap(({ names, value }) => names.split(/\s+/).map((option) => ({ name, table, option, value, letters })))
  })
  const value = (kind: OptionGroup["value"]): string => (kind === "next" || kind === "two" ? " x" : "")

  it("alone, after operands, bundled behind harmless letters, with a glued value", () => {
    fc.assert(
      fc.property(fc.constantFrom(...cases), fc.array(fc.nat(), { maxLength: 3 }), (entry, chosen) => {
        const { name, table, option, letters } = entry
        const lines = [`${name} ${option}${value(entry.value)} a`]
        if (!table.grammar?.stopsAtOperand) lines.push(`${name} a ${option}${value(entry.value)}`)
        const short = /^-[A-Za-z]$/.test(option)
        if (short && letters.length > 0 && !table.grammar?.singleHyphen) {
          const bundle = chosen.map((index) => letters[index % letters.length]?.slice(1) ?? "").join("")
          lines.push(`${name} -${bundle}${option.slice(1)}${value(entry.value)} a`)
        }
        if (entry.value !== "none" && entry.value !== "two")
          lines.push(short ? `${name} ${option}x a` : `${name} ${option}=x a`)
        for (const line of lines) assert.notStrictEqual(review(line).decision, "allow", line)
      }),
      runs
    )
  })

  it("cut short as getopt_long takes it", () => {
    const long = cases.filter(({ option, table }) => option.startsWith("--") && table.grammar?.abbreviations !== false)
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.integer({ min: 3, max: 40 }), (entry, length) => {
        const cut = entry.option.slice(0, length)
        const others = (entry.table.options ?? []).flatMap(({ names }) => names.split(/\s+/))
        // Where a harmless option is called exactly so, it is that one.
        if (others.includes(cut) && cut !== entry.option) return
        assert.notStrictEqual(
          review(`${entry.name} ${cut}${value(entry.value)} a`).decision,
          "allow",
          `${entry.name} ${cut}`
        )
      }),
      runs
    )
  })
})
