/** timeout(1), GNU coreutils: a duration, then a command. */
import { flags, type Program, values } from "../Program.ts"

export const timeout: Program = {
  names: ["timeout", "gtimeout"],
  does: "reads",
  grammar: { stopsAtOperand: true },
  options: [flags("-v --preserve-status --foreground --verbose"), values("-k -s --kill-after --signal")],
  opens: 1,
  transparent: true,
  examples: {
    allowed: ["timeout 5 ls", "timeout -k 1 5s cat a.txt"],
    refused: ["timeout 5 rm a", "timeout 5s man -P cat ls", "timeout 5 ls /etc"]
  }
}
