/** test and `[`, of the shell. `-v` evaluates a subscript, and that can run commands. */
import type { Program } from "../Program.ts"

export const testCommand: Program = {
  names: ["test", "["],
  does: "reads",
  builtin: true,
  alsoProgram: true,
  ownOptions: true,
  judge: (line, notes) => {
    for (const [index, word] of line.args.entries()) {
      const number = line.args[index + 1]?.value ?? ""
      // Some shells take a comparison of numbers for arithmetic, and arithmetic can run commands.
      const workedOut =
        /^-(?:eq|ne|lt|le|gt|ge)$/.test(word.value) && /[[$`]/.test((line.args[index - 1]?.value ?? "") + number)
      if (workedOut || /^-[vRo]$/.test(word.value))
        notes.find("asks", "a test that the shell works out at run time", word)
      else notes.reads(word)
    }
  },
  examples: {
    allowed: ["[ -f package.json ]", "test -d src", "[ a = b ]"],
    refused: ["test -f /etc/passwd", "[ -v 'a[$(id)]' ]", "[ -f $X ]"]
  }
}
