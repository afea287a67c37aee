/** exec, of the shell: the shell becomes another program. Redirections of `exec` alone hold for all that follows. */
import { flags, type Program, values } from "../Program.ts"

export const exec: Program = {
  names: ["exec"],
  does: "runs",
  because: "replaces the shell",
  builtin: true,
  options: [flags("-c -l"), values("-a")],
  grammar: { stopsAtOperand: true },
  opens: 0,
  examples: {
    allowed: ["echo exec", "grep -n exec notes.txt"],
    refused: ["exec sh", "exec ls", "exec > out.txt", "exec -a x rm a"]
  }
}
