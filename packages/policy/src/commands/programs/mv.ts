/** mv(1). Moving a folder of the system away is as bad as removing it. */
import type { Program } from "../Program.ts"

export const mv: Program = {
  names: ["mv"],
  does: "changes",
  because: "moves files",
  ruinsPlaces: true,
  judge: (line, notes) => {
    for (const [index, operand] of line.operands.entries()) {
      notes.reads(operand)
      notes.writes(operand)
      const last = index === line.operands.length - 1
      if (!last && notes.isRuinous(operand)) notes.find("ruins", "mv takes away a folder of the system", operand)
    }
  },
  examples: {
    allowed: ["grep -n 'mv' notes.txt", "echo mv"],
    refused: ["mv a b", "mv a ~/a", "mv /etc x"]
  }
}
