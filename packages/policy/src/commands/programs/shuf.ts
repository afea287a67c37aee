/** shuf(1), GNU coreutils. With `-e` its operands are text. */
import { flags, type Program, paths, values, writes } from "../Program.ts"

export const shuf: Program = {
  names: ["shuf"],
  does: "reads",
  options: [
    flags("-e -r -z --echo --repeat --zero-terminated"),
    values("-i -n --input-range --head-count"),
    paths("--random-source"),
    writes("-o --output")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["shuf -n 3 names.txt", "shuf -i 1-10"],
    refused: ["shuf -o out.txt in.txt", "shuf .env"]
  }
}
