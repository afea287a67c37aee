/** xargs(1), GNU findutils: a command with words that the text does not show, unless standard input is known. */
import type { Argument } from "../Argument.ts"
import { doing, flags, type Line, type Program, paths, values } from "../Program.ts"

export const xargs: Program = {
  names: ["xargs", "gxargs"],
  does: "runs",
  because: "starts a command with words that the text does not show",
  options: [
    flags("-0 -o -p -r -t -x --null --open-tty --interactive --no-run-if-empty --show-limits --verbose --exit"),
    values("-d -E -I -J -L -n -P -R -s -S --delimiter --max-args --max-procs --process-slot-var --max-chars"),
    doing("text", "-e -i -l --eof --replace --max-lines", "glued"),
    paths("-a --arg-file")
  ],
  grammar: { stopsAtOperand: true },
  judge: (line, notes) => {
    const given = notes.standardInput?.value.split(/[\s\0]+/).filter((word) => word !== "") ?? []
    const words = given.map((value): Argument => ({ ...line.name, value }))
    notes.starts(filled(line, words), true)
  },
  examples: {
    allowed: ["grep -n xargs notes.txt", "echo xargs"],
    refused: [
      "xargs rm",
      "find . -print0 | xargs -0 cat",
      "xargs -I{} sh -c '{}'",
      "xargs -a list.txt sh",
      "echo / | xargs rm -rf"
    ]
  }
}

const filled = (line: Line, words: ReadonlyArray<Argument>): ReadonlyArray<Argument> => {
  const replace = line.uses.find(({ name }) => name === "-I" || name === "-i" || name === "--replace" || name === "-J")
  if (replace === undefined) return [...line.operands, ...words]
  const mark = replace.value === null || replace.value.value === "" ? "{}" : replace.value.value
  return line.operands.flatMap((operand) => {
    if (!operand.value.includes(mark)) return [operand]
    if (words.length === 0) return [operand]
    return words.map((word) => ({ ...operand, value: operand.value.replaceAll(mark, word.value) }))
  })
}
