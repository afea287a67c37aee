/** shred(1): overwrites files, and disks. */
import type { Program } from "../Program.ts"

export const shred: Program = {
  names: ["shred", "wipe", "srm", "scrub"],
  does: "controls",
  because: "destroys what files hold",
  ruinsPlaces: true,
  judge: (line, notes) => {
    for (const operand of line.operands) {
      notes.writes(operand)
      if (notes.isRuinous(operand))
        notes.find("ruins", `${line.name.value} destroys a disk or a folder of the system`, operand)
    }
  },
  examples: {
    allowed: ["grep -n 'shred' notes.txt", "echo shred"],
    refused: ["shred a.txt", "shred -n1 /dev/sda"]
  }
}
