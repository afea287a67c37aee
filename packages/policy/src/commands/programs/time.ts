/** time(1), GNU time; the keyword of the shell takes only -p. */
import { doing, flags, type Program, values, writes } from "../Program.ts"

export const time: Program = {
  names: ["time", "gtime"],
  does: "reads",
  grammar: { stopsAtOperand: true },
  options: [
    flags("-p -v -q -V --portability --verbose --quiet"),
    values("-f --format"),
    writes("-o --output"),
    doing("changes", "-a --append")
  ],
  opens: 0,
  transparent: true,
  examples: {
    allowed: ["time ls", "time -p ls"],
    refused: ["time rm a", "time -oout.txt ls", "time --output=out.txt ls"]
  }
}
