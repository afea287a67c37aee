/** dd(1): `if=` is read, `of=` is written. */
import type { Program } from "../Program.ts"

export const dd: Program = {
  names: ["dd", "dcfldd", "ddrescue"],
  does: "changes",
  because: "copies bytes into a file",
  ruinsPlaces: true,
  judge: (line, notes) => {
    for (const word of line.args) {
      const file = { ...word, value: word.value.replace(/^[io]f=/, "") }
      if (word.value.startsWith("if=")) notes.reads(file)
      else if (word.value.startsWith("of=")) notes.writes(file)
      else if (!word.value.includes("=")) notes.writes(word)
    }
  },
  examples: {
    allowed: ["grep -n 'dd' notes.txt", "echo dd"],
    refused: ["dd if=a of=b", "dd if=/dev/zero of=/dev/sda", "dd if=a.img of=b.img", "dd of=/dev/nvme0n1 if=img bs=4M"]
  }
}
