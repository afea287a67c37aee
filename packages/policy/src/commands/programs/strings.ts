/** strings(1), GNU binutils. `-T` and `--target` choose among formats built in. */
import { flags, type Program, values } from "../Program.ts"

export const strings: Program = {
  names: ["strings"],
  does: "reads",
  grammar: { digits: true },
  options: [
    flags("-a -d -f -o -w --all --data --print-file-name --include-all-whitespace"),
    values("-n -t -e -s -T -U --bytes --radix --encoding --output-separator --target --unicode")
  ],
  operands: { rest: "path" },
  judge: (line, notes) => {
    for (const operand of line.operands) {
      if (operand.value.startsWith("@")) notes.find("asks", "strings reads its words from a file", operand)
    }
  },
  examples: {
    allowed: ["strings -n 8 a.bin", "strings -8 a.bin"],
    refused: ["strings .env", "strings /dev/sda"]
  }
}
