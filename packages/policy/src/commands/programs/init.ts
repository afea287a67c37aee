/** init(8), telinit(8): the runlevels 0 and 6 end the machine. */
import type { Program } from "../Program.ts"

export const init: Program = {
  names: ["init", "telinit"],
  does: "controls",
  because: "changes the runlevel",
  judge: (line, notes) => {
    const level = line.operands.find(({ value }) => /^[06]$/.test(value))
    if (level !== undefined) notes.find("ruins", "this runlevel ends the machine", level)
  },
  examples: {
    allowed: ["grep -n 'init' notes.txt", "echo init"],
    refused: ["init", "init 0", "telinit 6"]
  }
}
