/** pkill(1), killall(1), fuser(1) and their like. */
import type { Program } from "../Program.ts"

export const pkill: Program = {
  names: ["pkill", "killall", "skill", "slay", "xkill", "fuser", "renice"],
  does: "controls",
  because: "ends or changes processes",
  judge: (line, notes) => {
    if (line.name.value !== "pkill") return
    const all = line.args.find(({ value }) => /^(?:\^?\.[*+]?\$?|\^|\$|)$/.test(value))
    if (all !== undefined) notes.find("ruins", "pkill with this pattern ends every process", all)
  },
  examples: {
    allowed: ["grep -n 'pkill' notes.txt", "echo pkill"],
    refused: ["pkill node", "killall node", "fuser -k 8080/tcp", "pkill -9 -f '.*'", "renice -n -5 1"]
  }
}
