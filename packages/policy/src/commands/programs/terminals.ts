/** tmux(1), screen(1), dtach: commands in terminals that outlive this one. */
import type { Program } from "../Program.ts"

export const terminals: Program = {
  names: ["tmux", "screen", "dtach", "abduco", "zellij", "byobu", "mosh"],
  does: "runs",
  because: "starts commands that outlive this one",
  judge: (line, notes) => {
    for (const word of line.args) if (/\s/.test(word.value)) notes.runsScript(word)
    for (const [index, word] of line.args.slice(0, 8).entries()) {
      if (!word.value.startsWith("-") && index > 0) notes.starts(line.args.slice(index))
    }
  },
  examples: { allowed: ["echo tmux", "grep -n tmux a.txt"], refused: ["tmux new -d 'npm start'", "screen -dm ./x"] }
}
