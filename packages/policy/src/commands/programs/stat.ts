/** stat(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const stat: Program = {
  names: ["stat"],
  does: "reads",
  options: [flags("-L -f -t --dereference --file-system --terse"), values("-c --format --printf --cached")],
  operands: { rest: "path" },
  examples: {
    allowed: ["stat package.json", "stat -c '%s %n' a.txt"],
    refused: ["stat /etc/passwd", "stat .env"]
  }
}
