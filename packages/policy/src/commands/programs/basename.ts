/** basename(1), GNU coreutils. Its operands are text. */
import { flags, type Program, values } from "../Program.ts"

export const basename: Program = {
  names: ["basename"],
  does: "reads",
  options: [flags("-a -z --multiple --zero"), values("-s --suffix")],
  operands: { rest: "text" },
  examples: {
    allowed: ["basename src/app.ts .ts", "basename /etc/passwd"],
    refused: ["basename $FILE", 'basename "$(pwd)"']
  }
}
