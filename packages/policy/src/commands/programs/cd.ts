/** cd, of the shell: everything after it is judged from the folder it leads to. */
import { flags, type Program } from "../Program.ts"

export const cd: Program = {
  names: ["cd"],
  does: "reads",
  builtin: true,
  movesShell: true,
  options: [flags("-L -P -e -@")],
  operands: { rest: "path" },
  examples: {
    allowed: ["cd src && ls", "cd src", "cd -P src && cat ../README.md"],
    refused: ["cd / && ls", "cd", "cd -", "cd .. && ls", "cd $DIR", "cd && rm -rf *"]
  }
}
