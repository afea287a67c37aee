/** id(1) and groups(1), GNU coreutils. */
import { flags, type Program } from "../Program.ts"

export const id: Program = {
  names: ["id", "groups"],
  does: "reads",
  options: [flags("-a -g -G -n -r -u -z -Z --group --groups --name --real --user --zero --context")],
  operands: { rest: "text" },
  examples: {
    allowed: ["id -un", "groups"],
    refused: ["id $USER", "id > a.txt"]
  }
}
