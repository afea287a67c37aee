/** Programs that change files, their names or their attributes. */
import type { Program } from "../Program.ts"

export const patch: Program = {
  names: `patch rename prename mmv dos2unix unix2dos setfacl setfattr chattr chgrp chcon`.split(/\s+/),
  does: "changes",
  because: "changes files",
  ruinsPlaces: true,
  judge: (line, notes) => {
    const recursive = line.args.some(({ value }) => /^(?:-[A-Za-z]*R|--recursive)/.test(value))
    for (const operand of line.operands) {
      notes.writes(operand)
      if (recursive && notes.isRuinous(operand))
        notes.find("ruins", `${line.name.value} -R changes a folder of the system`, operand)
    }
  },
  examples: {
    allowed: ["grep -n 'patch' notes.txt", "echo patch"],
    refused: ["patch -p1 < a.patch", "rename s/a/b/ a.txt", "chattr -R +i /"]
  }
}
