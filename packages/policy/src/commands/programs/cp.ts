/** cp(1), install(1), ln(1). */
import type { Program } from "../Program.ts"

export const cp: Program = {
  names: ["cp", "install", "ln", "link"],
  does: "changes",
  because: "makes or changes files",
  judge: (line, notes) => {
    for (const operand of line.operands) {
      notes.reads(operand)
      notes.writes(operand)
    }
  },
  examples: {
    allowed: ["grep -n 'cp' notes.txt", "echo cp"],
    refused: ["cp -r src dst", "cp /etc/passwd .", "ln -s a b", "cp img /dev/sda"]
  }
}
