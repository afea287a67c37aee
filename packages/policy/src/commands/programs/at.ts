/** at(1), batch(1): a shell runs standard input later. */
import type { Program } from "../Program.ts"

export const at: Program = {
  names: ["at", "batch"],
  does: "controls",
  because: "keeps commands for later",
  judge: (line, notes) => {
    if (notes.standardInput !== null) notes.runsScript(notes.standardInput)
    else for (const [index, word] of line.args.entries()) if (line.args[index - 1]?.value === "-f") notes.reads(word)
  },
  examples: {
    allowed: ["echo at", "grep -n at a.txt"],
    refused: ["at now -f job.sh", "at now <<< 'npm test'", "echo ls | batch"]
  }
}
