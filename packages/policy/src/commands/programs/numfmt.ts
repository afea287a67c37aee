/** numfmt(1), GNU coreutils. Its operands are numbers. */
import { flags, optional, type Program, values } from "../Program.ts"

export const numfmt: Program = {
  names: ["numfmt"],
  does: "reads",
  options: [
    flags("-z --debug --grouping --zero-terminated"),
    values("-d --delimiter --field --format --from --from-unit --invalid --padding --round --suffix --to --to-unit"),
    optional("--header")
  ],
  operands: { rest: "text" },
  examples: {
    allowed: ["numfmt --to=iec 1048576", "numfmt --from=si 1K"],
    refused: ["numfmt $N", "numfmt --to=iec < /etc/passwd"]
  }
}
