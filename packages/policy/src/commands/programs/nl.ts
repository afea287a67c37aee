/** nl(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const nl: Program = {
  names: ["nl"],
  does: "reads",
  options: [
    flags("-p --no-renumber"),
    values(
      "-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width"
    )
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["nl -ba src/app.ts", "nl notes.txt"],
    refused: ["nl .env", "nl -b a /etc/hosts"]
  }
}
