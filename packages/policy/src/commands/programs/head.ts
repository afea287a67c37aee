/** head(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const head: Program = {
  names: ["head"],
  does: "reads",
  grammar: { digits: true },
  options: [flags("-q -v -z --quiet --silent --verbose --zero-terminated"), values("-c -n --bytes --lines")],
  operands: { rest: "path" },
  examples: {
    allowed: ["head -20 a.txt", "head -c 200 data.bin", "head -n5 a.txt"],
    refused: ["head /etc/passwd", "head .env"]
  }
}
