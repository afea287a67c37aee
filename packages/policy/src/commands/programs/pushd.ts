/** pushd and popd, of the shell: cd with a memory. */
import type { Program } from "../Program.ts"

export const pushd: Program = {
  names: ["pushd", "popd"],
  does: "asks",
  because: "changes the folder of the shell and its stack of folders",
  builtin: true,
  movesShell: true,
  examples: {
    allowed: ["grep -n 'pushd' notes.txt", "echo pushd"],
    refused: ["pushd src", "popd", "pushd / && rm -rf *"]
  }
}
