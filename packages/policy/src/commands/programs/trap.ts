/** trap, of the shell: a command for later. */
import type { Program } from "../Program.ts"

export const trap: Program = {
  names: ["trap"],
  does: "runs",
  because: "keeps a command for later",
  builtin: true,
  judge: (line, notes) => {
    const script = line.args.find(({ value }) => !value.startsWith("-"))
    if (script !== undefined) notes.runsScript(script)
  },
  examples: { allowed: ["echo trap", "grep -n trap a.sh"], refused: ["trap 'rm a' EXIT", "trap - INT"] }
}
