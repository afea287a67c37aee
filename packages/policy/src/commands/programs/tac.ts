/** tac(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const tac: Program = {
  names: ["tac"],
  does: "reads",
  options: [flags("-b -r --before --regex"), values("-s --separator")],
  operands: { rest: "path" },
  examples: {
    allowed: ["tac a.txt", "tac -s , a.txt"],
    refused: ["tac ../a.txt", "tac .netrc"]
  }
}
