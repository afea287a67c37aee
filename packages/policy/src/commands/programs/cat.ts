/** cat(1), GNU coreutils. */
import { flags, type Program } from "../Program.ts"

export const cat: Program = {
  names: ["cat"],
  does: "reads",
  options: [
    flags(
      "-A -b -e -E -n -s -t -T -u -v --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting"
    )
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["cat -n src/index.ts", "cat -- -odd-name", "cat docs/a.md docs/b.md"],
    refused: ["cat .env", "cat ../a.txt", "cat ~/.ssh/id_rsa", "cat $FILE", "cat -Z a.txt"]
  }
}
