/** which(1): where a program lies. */
import { flags, type Program } from "../Program.ts"

export const which: Program = {
  names: ["which"],
  does: "reads",
  options: [flags("-a -s")],
  operands: { rest: "text" },
  examples: {
    allowed: ["which git", "which -a node"],
    refused: ["which $X", "which `id`"]
  }
}
