/** date(1), GNU coreutils. An operand that is no format sets the clock. */
import { doing, flags, optional, type Program, paths, values } from "../Program.ts"

export const date: Program = {
  names: ["date"],
  does: "reads",
  options: [
    flags("-u -R --utc --universal --rfc-email --rfc-822 --debug --resolution"),
    values("-d --date --rfc-3339"),
    optional("-I --iso-8601"),
    paths("-f -r --file --reference"),
    doing("controls", "-s --set", "next")
  ],
  judge: (line, notes) => {
    for (const operand of line.operands) {
      if (!operand.value.startsWith("+")) notes.find("controls", "date with this operand sets the clock", operand)
    }
  },
  examples: {
    allowed: ["date -u +%s", "date +%F", "date -d 'next friday'"],
    refused: [
      "date -s '2030-01-01'",
      "date -us 2030-01-01",
      "date --se=2030-01-01",
      "date 010100002030",
      "date -f /etc/passwd"
    ]
  }
}
