/** tr(1), GNU coreutils. It reads standard input alone. */
import { flags, type Program } from "../Program.ts"

export const tr: Program = {
  names: ["tr"],
  does: "reads",
  options: [flags("-c -C -d -s -t --complement --delete --squeeze-repeats --truncate-set1")],
  operands: { rest: "text" },
  examples: {
    allowed: ["tr a-z A-Z", "tr -d '\\r'"],
    refused: ["tr a-z $SET", "tr -d x < .env"]
  }
}
