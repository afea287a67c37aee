/** builtin, of the shell. */
import type { Program } from "../Program.ts"

export const builtin: Program = {
  names: ["builtin"],
  does: "reads",
  grammar: { stopsAtOperand: true },
  options: [],
  opens: 0,
  transparent: true,
  examples: {
    allowed: ["builtin echo a", "builtin pwd"],
    refused: ["builtin eval ls", "builtin cd /"]
  }
}
