/** eval and trap, of the shell: words that become a command. */
import type { Program } from "../Program.ts"

export const evalBuiltin: Program = {
  names: ["eval"],
  does: "runs",
  because: "runs its words as a command",
  builtin: true,
  judge: (line, notes) => {
    const [first] = line.args
    if (first !== undefined) notes.runsScript({ ...first, value: line.args.map(({ value }) => value).join(" ") })
  },
  examples: { allowed: ["echo eval", "grep -rn 'eval(' src"], refused: ["eval ls", 'eval "$X"', "eval 'rm a'"] }
}
