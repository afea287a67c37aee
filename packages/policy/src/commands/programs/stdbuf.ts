/** stdbuf(1), GNU coreutils. */
import { type Program, values } from "../Program.ts"

export const stdbuf: Program = {
  names: ["stdbuf"],
  does: "reads",
  grammar: { stopsAtOperand: true },
  options: [values("-i -o -e --input --output --error")],
  opens: 0,
  transparent: true,
  examples: {
    allowed: ["stdbuf -oL grep x a.txt", "stdbuf --output=0 ls"],
    refused: ["stdbuf -oL rm a", "stdbuf -oL ./x"]
  }
}
