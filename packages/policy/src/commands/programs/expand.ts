/** expand(1) and unexpand(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const expand: Program = {
  names: ["expand", "unexpand"],
  does: "reads",
  grammar: { digits: true },
  options: [flags("-a -i --all --initial --first-only"), values("-t --tabs")],
  operands: { rest: "path" },
  examples: {
    allowed: ["expand -t 4 a.txt", "unexpand -a a.txt"],
    refused: ["expand .env", "unexpand ../a.txt"]
  }
}
