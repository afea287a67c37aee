/** split(1), csplit(1): pieces of a file into new files. */
import type { Program } from "../Program.ts"

export const split: Program = {
  names: ["split", "csplit"],
  does: "changes",
  because: "makes files",
  judge: (line, notes) => {
    for (const operand of line.operands) notes.reads(operand)
  },
  examples: {
    allowed: ["grep -n 'split' notes.txt", "echo split"],
    refused: ["split a.txt", "split -l 10 a.txt part-"]
  }
}
