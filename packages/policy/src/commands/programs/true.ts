/** true, false and `:`, of the shell: nothing happens. */
import type { Program } from "../Program.ts"

export const trueAndFalse: Program = {
  names: ["true", "false", ":"],
  does: "reads",
  builtin: true,
  alsoProgram: true,
  ownOptions: true,
  operands: { rest: "text" },
  examples: {
    allowed: ["true", "false || true", ": a b"],
    refused: ["true $X", "true && rm a", "true > a.txt"]
  }
}
