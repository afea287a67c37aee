/** nproc(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const nproc: Program = {
  names: ["nproc"],
  does: "reads",
  options: [flags("--all"), values("--ignore")],
  operands: { rest: "asks" },
  examples: {
    allowed: ["nproc", "nproc --all"],
    refused: ["nproc $X", "nproc > a.txt"]
  }
}
