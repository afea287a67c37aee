/** nohup(1): the command goes on when its terminal is gone, and its output goes to nohup.out. */
import type { Program } from "../Program.ts"

export const nohup: Program = {
  names: ["nohup"],
  does: "runs",
  because: "keeps a command running and writes nohup.out",
  grammar: { stopsAtOperand: true },
  options: [],
  opens: 0,
  examples: {
    allowed: ["grep -n 'nohup' notes.txt", "echo nohup"],
    refused: ["nohup npm start", "nohup ls", "nohup node x &"]
  }
}
