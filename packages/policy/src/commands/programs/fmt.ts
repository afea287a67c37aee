/** fmt(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const fmt: Program = {
  names: ["fmt"],
  does: "reads",
  grammar: { digits: true },
  options: [
    flags("-c -s -t -u --crown-margin --split-only --tagged-paragraph --uniform-spacing"),
    values("-p -w -g --prefix --width --goal")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["fmt -w 72 notes.txt", "fmt notes.txt"],
    refused: ["fmt .env", "fmt /etc/hosts"]
  }
}
