/** wc(1), GNU coreutils. */
import { doing, flags, type Program, values } from "../Program.ts"

export const wc: Program = {
  names: ["wc"],
  does: "reads",
  options: [
    flags("-c -m -l -L -w --bytes --chars --lines --max-line-length --words --debug"),
    values("--total"),
    doing("asks", "--files0-from", "next")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["wc -l src/main.ts", "wc -cl a.txt"],
    refused: ["wc --files0-from=list", "wc -l .env", "wc --fi=/tmp/list"]
  }
}
