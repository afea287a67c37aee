/** uptime(1), procps. */
import { flags, type Program } from "../Program.ts"

export const uptime: Program = {
  names: ["uptime"],
  does: "reads",
  options: [flags("-p -s --pretty --since")],
  operands: { rest: "asks" },
  examples: {
    allowed: ["uptime", "uptime -p"],
    refused: ["uptime > a.txt", "uptime $X"]
  }
}
