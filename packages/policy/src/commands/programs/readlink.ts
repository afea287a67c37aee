/** readlink(1), GNU coreutils. */
import { flags, type Program } from "../Program.ts"

export const readlink: Program = {
  names: ["readlink"],
  does: "reads",
  options: [
    flags(
      "-f -e -m -n -q -s -v -z --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero"
    )
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["readlink -f src", "readlink link"],
    refused: ["readlink /proc/self/exe", "readlink ../link"]
  }
}
