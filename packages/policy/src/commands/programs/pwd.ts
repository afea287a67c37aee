/** pwd, of the shell. */
import { flags, type Program } from "../Program.ts"

export const pwd: Program = {
  names: ["pwd"],
  does: "reads",
  builtin: true,
  alsoProgram: true,
  options: [flags("-L -P --logical --physical")],
  operands: { rest: "text" },
  examples: {
    allowed: ["pwd", "pwd -P"],
    refused: ["pwd > a.txt", "pwd; rm a"]
  }
}
