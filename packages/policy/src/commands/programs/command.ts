/** command, of the shell: finds a program without functions in the way, or says where it lies. */
import { flags, type Program, uses } from "../Program.ts"

export const command: Program = {
  names: ["command"],
  does: "reads",
  builtin: true,
  grammar: { stopsAtOperand: true },
  options: [flags("-p -v -V")],
  operands: { rest: "text" },
  transparent: true,
  judge: (line, notes) => {
    if (!uses(line, "-v -V")) notes.starts(line.operands)
  },
  examples: {
    allowed: ["command ls", "command -v rg"],
    refused: ["command rm a", "command -v $X"]
  }
}
