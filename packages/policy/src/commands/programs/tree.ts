/** tree(1). `-o` writes a file, and so does `-R` with `-H`. */
import { doing, flags, type Program, paths, values, writes } from "../Program.ts"

export const tree: Program = {
  names: ["tree"],
  does: "reads",
  grammar: { abbreviations: false },
  options: [
    flags(
      "-a -d -l -f -x -p -s -h -u -g -D -F -q -N -Q -r -t -c -v -U -n -C -A -S -J -X -i -Z --dirsfirst --filesfirst --noreport --si --inodes --device --prune --ignore-case --matchdirs --metafirst --du --hintro --houtro --nolinks --gitignore --fromtabfile --opt-toggle --compress --hyperlink --acl --selinux"
    ),
    values("-L -P -I -H -T --filelimit --charset --timefmt --sort"),
    paths("--infofile --gitfile"),
    writes("-o --output"),
    doing("changes", "-R"),
    doing("asks", "--fromfile --info")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["tree -L 2 src", "tree -a -I node_modules"],
    refused: [
      "tree -o t.txt .",
      "tree -ao t.txt .",
      "tree -aot.txt",
      "tree /",
      "tree --gitfile=/etc/x",
      "tree -R -H x -L 1 ."
    ]
  }
}
