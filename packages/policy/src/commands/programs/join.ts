/** join(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const join: Program = {
  names: ["join"],
  does: "reads",
  options: [
    flags("-i -z --ignore-case --check-order --nocheck-order --header --zero-terminated"),
    values("-a -e -j -o -t -v -1 -2")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["join -t, a.csv b.csv", "join -1 2 a.txt b.txt"],
    refused: ["join a.txt /etc/passwd", "join .env a.txt"]
  }
}
