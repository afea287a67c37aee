/** seq(1), GNU coreutils. Its operands are numbers. */
import { flags, type Program, values } from "../Program.ts"

export const seq: Program = {
  names: ["seq"],
  does: "reads",
  grammar: { digits: true },
  options: [flags("-w --equal-width"), values("-f -s --format --separator")],
  operands: { rest: "text" },
  examples: {
    allowed: ["seq 1 10", "seq -s, 5", "seq 10 -1 1"],
    refused: ["seq 1 $N", "seq $(nproc)"]
  }
}
