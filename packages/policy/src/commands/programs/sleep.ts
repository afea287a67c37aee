/** sleep(1), GNU coreutils. */
import type { Program } from "../Program.ts"

export const sleep: Program = {
  names: ["sleep"],
  does: "reads",
  options: [],
  operands: { rest: "text" },
  examples: {
    allowed: ["sleep 1", "sleep 0.5s"],
    refused: ["sleep $N", "sleep 1 &"]
  }
}
