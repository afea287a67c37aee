/** nice(1), GNU coreutils. */
import { type Program, values } from "../Program.ts"

export const nice: Program = {
  names: ["nice"],
  does: "reads",
  grammar: { stopsAtOperand: true, digits: true },
  options: [values("-n --adjustment")],
  opens: 0,
  transparent: true,
  examples: {
    allowed: ["nice ls", "nice -n 5 wc -l a.txt", "nice -5 ls"],
    refused: ["nice make", "nice -n 1 rm a"]
  }
}
