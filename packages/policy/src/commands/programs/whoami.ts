/** whoami(1), logname(1), tty(1), GNU coreutils. */
import { flags, type Program } from "../Program.ts"

export const whoami: Program = {
  names: ["whoami", "logname", "tty"],
  does: "reads",
  options: [flags("-s --silent --quiet")],
  operands: { rest: "asks" },
  examples: {
    allowed: ["whoami", "tty"],
    refused: ["whoami $X", "whoami > a.txt"]
  }
}
