/** comm(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const comm: Program = {
  names: ["comm"],
  does: "reads",
  options: [flags("-1 -2 -3 -z --check-order --nocheck-order --total --zero-terminated"), values("--output-delimiter")],
  operands: { rest: "path" },
  examples: {
    allowed: ["comm -12 a.txt b.txt", "comm -3 a.txt b.txt"],
    refused: ["comm a.txt ../b.txt", "comm a.txt .env"]
  }
}
