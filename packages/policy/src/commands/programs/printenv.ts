/** What prints or changes the environment and the variables of the shell. */
import type { Program } from "../Program.ts"

export const printenv: Program = {
  names: ["printenv", "set", "declare", "typeset", "export", "readonly", "local", "compgen"],
  does: "asks",
  because: "prints the environment, which may be confidential, or changes it",
  examples: {
    allowed: ["grep -n 'printenv' notes.txt", "echo printenv"],
    refused: ["printenv PATH", "export -p", "export PATH=.", "declare -x X=1", "set -x", "set"]
  }
}
