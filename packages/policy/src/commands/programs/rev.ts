/** rev(1), util-linux. */
import { flags, type Program } from "../Program.ts"

export const rev: Program = {
  names: ["rev"],
  does: "reads",
  options: [flags("-0 --zero")],
  operands: { rest: "path" },
  examples: {
    allowed: ["rev a.txt", "rev"],
    refused: ["rev .env", "rev ../a.txt"]
  }
}
