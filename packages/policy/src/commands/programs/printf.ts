/** printf, of the shell. `-v` sets a variable. */
import { doing, type Program } from "../Program.ts"

export const printf: Program = {
  names: ["printf"],
  does: "reads",
  builtin: true,
  alsoProgram: true,
  grammar: { stopsAtOperand: true },
  options: [doing("asks", "-v", "next")],
  operands: { rest: "text" },
  examples: {
    allowed: ["printf '%s\\n' a b", "printf x", "printf -- -v"],
    refused: ["printf -v PATH x", 'printf "$X"', "printf x > out.txt"]
  }
}
