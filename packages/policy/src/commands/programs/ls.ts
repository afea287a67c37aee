/** ls(1), GNU coreutils. It has no option that writes or starts anything. */
import { flags, optional, type Program, values } from "../Program.ts"

export const ls: Program = {
  names: ["ls"],
  does: "reads",
  options: [
    flags(
      "-a -A -b -B -c -C -d -D -f -F -g -G -h -H -i -k -l -L -m -n -N -o -p -q -Q -r -R -s -S -t -u -U -v -x -X -Z -1 --all --almost-all --author --escape --ignore-backups --directory --dired --file-type --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --inode --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --reverse --recursive --size --context --zero"
    ),
    values(
      "-I -T -w --block-size --format --hide --indicator-style --ignore --quoting-style --sort --time --time-style --tabsize --width"
    ),
    optional("--color --classify --hyperlink")
  ],
  operands: { rest: "path" },
  patternsAreHarmless: true,
  examples: {
    allowed: ["ls -la src/components", "ls -- -weird-name", "ls src/*.ts", "ls --color=never"],
    refused: ["ls ..", "ls ~root", "ls -d /", "ls src/[ab]*", "ls .e*"]
  }
}
