/** Builtins that tell something about this one shell. */
import { flags, type Program } from "../Program.ts"

export const shellQuestions: Program = {
  names: ["times", "caller", "dirs", "type"],
  does: "reads",
  options: [flags("-a -f -p -P -t -l -v")],
  operands: { rest: "text" },
  examples: {
    allowed: ["times", "type ls", "dirs"],
    refused: ["dirs -c", "type $X", "times > a.txt"]
  }
}
