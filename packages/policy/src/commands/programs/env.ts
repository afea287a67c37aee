/** env(1), GNU coreutils. Alone it prints the environment; with assignments or `-S` it changes what a command loads. */
import { doing, flags, type Program } from "../Program.ts"

export const env: Program = {
  names: ["env"],
  does: "reads",
  transparent: true,
  options: [
    flags("-0 -v --null --debug --list-signal-handling"),
    doing("asks", "-u --unset", "next"),
    doing("text", "--block-signal --default-signal --ignore-signal", "glued"),
    doing("asks", "-i --ignore-environment"),
    doing("runs", "-S --split-string", "next"),
    doing("text", "-C --chdir", "next"),
    doing("asks", "-a -P --argv0", "next")
  ],
  grammar: { stopsAtOperand: true },
  judge: (line, notes) => {
    for (const { name, value } of line.uses) {
      if (value === null) continue
      if (name === "-S" || name === "--split-string") notes.runsScript(value)
      if (name === "-C" || name === "--chdir") {
        notes.find("asks", "env --chdir moves the command to another folder", value)
        notes.movesTo(value)
      }
    }
    const start = line.operands.findIndex(({ value }) => value !== "-" && !value.includes("="))
    const [first] = line.operands
    if (first !== undefined && start !== 0) {
      notes.find("runs", "env: an assignment before a program changes what it loads or starts", first)
    }
    if (start >= 0) notes.starts(line.operands.slice(start))
    else if (!line.uses.some(({ name }) => name === "-S" || name === "--split-string")) {
      notes.find("asks", "env prints the whole environment, which may be confidential", line.name)
    }
  },
  examples: {
    allowed: ["env ls", "env -v wc -l a.txt"],
    refused: [
      "env",
      "env rm a",
      "env A=1 ls",
      "env -S 'sh -c id'",
      "env -vS'touch a' ls",
      "env --chdir=src ls",
      "env -i ls",
      "env -u PATH ls"
    ]
  }
}
