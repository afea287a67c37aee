/** cmp(1), GNU diffutils. */
import { flags, type Program, values } from "../Program.ts"

export const cmp: Program = {
  names: ["cmp"],
  does: "reads",
  options: [flags("-b -l -s -v --print-bytes --verbose --quiet --silent"), values("-i -n --ignore-initial --bytes")],
  operands: { first: ["path", "path"], rest: "text" },
  examples: {
    allowed: ["cmp a.bin b.bin", "cmp -s a.bin b.bin"],
    refused: ["cmp a.bin /etc/passwd", "cmp .env a"]
  }
}
