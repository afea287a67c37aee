/** df(1), GNU coreutils. */
import { doing, flags, optional, type Program, values } from "../Program.ts"

export const df: Program = {
  names: ["df"],
  does: "reads",
  options: [
    flags(
      "-a -h -H -i -k -l -P -T -v --all --human-readable --si --inodes --local --no-sync --portability --print-type --total"
    ),
    values("-B -t -x --block-size --type --exclude-type"),
    optional("--output"),
    doing("controls", "--sync")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["df -h", "df -h ."],
    refused: ["df /etc", "df --sync"]
  }
}
