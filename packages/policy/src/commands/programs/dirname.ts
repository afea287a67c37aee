/** dirname(1), GNU coreutils. Its operands are text. */
import { flags, type Program } from "../Program.ts"

export const dirname: Program = {
  names: ["dirname"],
  does: "reads",
  options: [flags("-z --zero")],
  operands: { rest: "text" },
  examples: {
    allowed: ["dirname src/app.ts", "dirname -z a/b"],
    refused: ["dirname $FILE", "dirname `pwd`"]
  }
}
