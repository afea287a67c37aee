/** echo, of the shell: every word is text. */
import type { Program } from "../Program.ts"

export const echo: Program = {
  names: ["echo"],
  does: "reads",
  builtin: true,
  alsoProgram: true,
  ownOptions: true,
  operands: { rest: "text" },
  examples: {
    allowed: ["echo done", "echo -n a", "echo --help", "echo '$(id)'"],
    refused: ["echo $HOME", "echo hi > out.txt", "echo `id`", "echo {a,b}"]
  }
}
