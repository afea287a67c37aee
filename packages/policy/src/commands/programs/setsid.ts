/** setsid(1), util-linux: the command leaves the session that its host can end. */
import { flags, type Program } from "../Program.ts"

export const setsid: Program = {
  names: ["setsid"],
  does: "runs",
  because: "starts a process that leaves its session",
  grammar: { stopsAtOperand: true },
  options: [flags("-c -f -w --ctty --fork --wait")],
  opens: 0,
  examples: {
    allowed: ["grep -n 'setsid' notes.txt", "echo setsid"],
    refused: ["setsid npm start", "setsid ./x"]
  }
}
