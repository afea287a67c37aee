/** rmdir(1), unlink(1). */
import type { Program } from "../Program.ts"

export const rmdir: Program = {
  names: ["rmdir", "unlink"],
  does: "changes",
  because: "removes files",
  judge: (line, notes) => {
    for (const operand of line.operands) {
      notes.reads(operand)
      notes.writes(operand)
    }
  },
  examples: {
    allowed: ["grep -n 'rmdir' notes.txt", "echo rmdir"],
    refused: ["rmdir build", "unlink a.txt", "unlink ../a.txt"]
  }
}
