/** uname(1), GNU coreutils. */
import { flags, type Program } from "../Program.ts"

export const uname: Program = {
  names: ["uname", "arch"],
  does: "reads",
  options: [
    flags(
      "-a -s -n -r -v -m -p -i -o --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system"
    )
  ],
  operands: { rest: "asks" },
  examples: {
    allowed: ["uname -a", "uname -sm"],
    refused: ["uname $X", "uname --unknown"]
  }
}
