/** free(1), procps. */
import { flags, type Program, values } from "../Program.ts"

export const free: Program = {
  names: ["free"],
  does: "reads",
  options: [
    flags(
      "-b -k -m -g -h -w -t -l -v --bytes --kilo --mega --giga --kibi --mebi --gibi --human --si --lohi --total --wide --committed"
    ),
    values("-s -c --seconds --count")
  ],
  operands: { rest: "asks" },
  examples: {
    allowed: ["free -h", "free -m"],
    refused: ["free $X", "free > a.txt"]
  }
}
