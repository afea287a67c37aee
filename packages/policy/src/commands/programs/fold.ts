/** fold(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const fold: Program = {
  names: ["fold"],
  does: "reads",
  grammar: { digits: true },
  options: [flags("-b -c -s --bytes --characters --spaces"), values("-w --width")],
  operands: { rest: "path" },
  examples: {
    allowed: ["fold -w 80 a.txt", "fold -s -80 a.txt"],
    refused: ["fold .env", "fold /etc/hosts"]
  }
}
