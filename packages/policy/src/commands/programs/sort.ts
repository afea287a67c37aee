/** sort(1), GNU coreutils. `--compress-program` is started for temporary files. */
import { doing, flags, optional, type Program, paths, values, writes } from "../Program.ts"

export const sort: Program = {
  names: ["sort"],
  does: "reads",
  options: [
    flags(
      "-b -d -f -g -i -M -h -n -R -r -V -c -C -m -s -u -z --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --reverse --version-sort --debug --merge --stable --unique --zero-terminated"
    ),
    values("-k -S -t --sort --batch-size --key --buffer-size --field-separator --parallel"),
    optional("--check"),
    paths("--random-source"),
    writes("-o --output -T --temporary-directory"),
    doing("runs", "--compress-program", "next"),
    doing("asks", "--files0-from", "next")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["sort -k2,2n -t, names.csv", "sort -u names.txt", "sort -- -o out.txt"],
    refused: [
      "sort -o out.txt in.txt",
      "sort -uo out.txt in.txt",
      "sort in.txt --outp=out.txt",
      "sort --compress-prog=./x a.txt",
      "sort .env"
    ]
  }
}
