/** diff(1), GNU diffutils. `--paginate` starts pr. */
import { doing, flags, optional, type Program, paths, values } from "../Program.ts"

export const diff: Program = {
  names: ["diff"],
  does: "reads",
  grammar: { digits: true },
  options: [
    flags(
      "-q -s -c -u -e -n -y -p -t -T -r -N -P -i -E -Z -b -w -B -a -d --normal --brief --report-identical-files --ed --rcs --side-by-side --left-column --suppress-common-lines --show-c-function --expand-tabs --initial-tab --suppress-blank-empty --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --text --strip-trailing-cr --minimal --speed-large-files"
    ),
    values(
      "-C -U -W -F -L -I -D -S -x --width --show-function-line --label --tabsize --starting-file --ignore-matching-lines --ifdef --line-format --old-line-format --new-line-format --unchanged-line-format --old-group-format --new-group-format --unchanged-group-format --changed-group-format --horizon-lines --palette --exclude"
    ),
    optional("--context --unified --color"),
    paths("-X --exclude-from --from-file --to-file"),
    doing("runs", "-l --paginate")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["diff -u a.txt b.txt", "diff -rq src lib"],
    refused: ["diff .env .env.example", "diff a.txt /etc/hosts", "diff --to-file=/etc/passwd a", "diff -l a.txt b.txt"]
  }
}
