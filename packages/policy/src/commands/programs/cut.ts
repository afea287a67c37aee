/** cut(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const cut: Program = {
  names: ["cut"],
  does: "reads",
  options: [
    flags("-n -s -z --complement --only-delimited --zero-terminated"),
    values("-b -c -d -f --bytes --characters --delimiter --fields --output-delimiter")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["cut -f1,2 a.tsv", "cut -d: -f1 a.txt"],
    refused: ["cut -d: -f1 /etc/passwd", "cut -f1 .env"]
  }
}
