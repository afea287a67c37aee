/** uniq(1), GNU coreutils. The second operand is written. */
import { flags, optional, type Program, values } from "../Program.ts"

export const uniq: Program = {
  names: ["uniq"],
  does: "reads",
  grammar: { digits: true },
  options: [
    flags("-c -d -D -i -u -z --count --repeated --ignore-case --unique --zero-terminated"),
    values("-f -s -w --skip-fields --skip-chars --check-chars"),
    optional("--all-repeated --group")
  ],
  operands: { first: ["path", "write"], rest: "asks" },
  examples: {
    allowed: ["uniq -c names.txt", "uniq -d a.txt"],
    refused: ["uniq a.txt b.txt", "uniq -c a.txt b.txt", "uniq .env"]
  }
}
