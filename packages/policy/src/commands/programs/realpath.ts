/** realpath(1), GNU coreutils. */
import { flags, type Program, paths } from "../Program.ts"

export const realpath: Program = {
  names: ["realpath"],
  does: "reads",
  options: [
    flags(
      "-e -m -L -P -q -s -z -E --canonicalize --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --zero"
    ),
    paths("--relative-to --relative-base")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["realpath src", "realpath --relative-to=src src/a.ts"],
    refused: ["realpath /etc/passwd", "realpath ~"]
  }
}
