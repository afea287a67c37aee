/** du(1), GNU coreutils. */
import { doing, flags, optional, type Program, paths, values } from "../Program.ts"

export const du: Program = {
  names: ["du"],
  does: "reads",
  options: [
    flags(
      "-0 -a -b -c -D -H -h -k -L -l -m -P -S -s -x --null --all --apparent-size --bytes --total --dereference-args --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize --one-file-system"
    ),
    values("-B -d -t --block-size --max-depth --threshold --time-style --exclude"),
    optional("--time"),
    paths("-X --exclude-from"),
    doing("asks", "--files0-from", "next")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["du -sh src", "du -h --max-depth=1 src"],
    refused: ["du -X/etc/hosts .", "du --files0-from=list", "du -sh /"]
  }
}
