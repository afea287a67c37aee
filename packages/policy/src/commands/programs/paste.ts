/** paste(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const paste: Program = {
  names: ["paste"],
  does: "reads",
  options: [flags("-s -z --serial --zero-terminated"), values("-d --delimiters")],
  operands: { rest: "path" },
  examples: {
    allowed: ["paste -d, a.txt b.txt", "paste -s a.txt"],
    refused: ["paste a.txt /etc/hosts", "paste .env a.txt"]
  }
}
