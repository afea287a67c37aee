/** tee(1), sponge(1): standard input into files. */
import type { Program } from "../Program.ts"

export const tee: Program = {
  names: ["tee", "sponge"],
  does: "changes",
  because: "writes files",
  judge: (line, notes) => {
    for (const operand of line.operands) notes.writes(operand)
  },
  examples: {
    allowed: ["grep -n 'tee' notes.txt", "echo tee"],
    refused: ["tee out.txt", "ls | tee -a log.txt", "tee /dev/sda"]
  }
}
