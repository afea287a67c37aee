/** xxd(1). The second operand is written; `-r` turns a dump back into bytes. */
import { flags, type Program, values } from "../Program.ts"

export const xxd: Program = {
  names: ["xxd"],
  does: "reads",
  options: [
    flags(
      "-a -b -C -e -E -i -p -ps -r -u -d -v -plain -postscript -revert -uppercase -bits -include -capitalize -decimal -EBCDIC -autoskip"
    ),
    values("-c -cols -g -groupsize -l -len -o -s -seek -offset -n -name -R")
  ],
  operands: { first: ["path", "write"], rest: "asks" },
  examples: {
    allowed: ["xxd data.bin", "xxd -l 64 -s 16 a.bin"],
    refused: ["xxd -r a b", "xxd a.bin out.txt", "xxd .env"]
  }
}
