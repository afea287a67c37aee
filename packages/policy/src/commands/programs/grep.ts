/** grep(1), GNU grep. */
import { flags, optional, type Program, paths, patterns, values } from "../Program.ts"

export const grep: Program = {
  names: ["grep", "egrep", "fgrep"],
  does: "reads",
  grammar: { digits: true },
  options: [
    flags(
      "-E -F -G -P -i -y -w -x -z -s -v -V -b -n -H -h -o -q -a -I -r -R -L -l -c -T -Z -U -u --extended-regexp --fixed-strings --basic-regexp --perl-regexp --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --byte-offset --line-number --line-buffered --with-filename --no-filename --only-matching --quiet --silent --text --recursive --dereference-recursive --files-without-match --files-with-matches --count --initial-tab --null --no-group-separator --binary --unix-byte-offsets"
    ),
    values(
      "-e -m -d -D -A -B -C --regexp --max-count --label --binary-files --directories --devices --exclude --exclude-dir --before-context --after-context --context --group-separator"
    ),
    optional("--color --colour"),
    patterns("--include"),
    paths("-f --file --exclude-from")
  ],
  operands: { first: ["text"], rest: "path", firstGivenBy: "-e --regexp -f --file" },
  examples: {
    allowed: [
      "grep -c error build.log",
      "grep -rn 'eval(' src",
      "grep -e -delete notes.txt",
      "grep -rn --include='*.ts' needle src",
      "grep -5 needle a.txt"
    ],
    refused: [
      "grep token .env",
      "grep -f/etc/passwd a",
      "grep -rf.env src",
      "grep -r password /home",
      "grep --fi=/etc/passwd a",
      "grep -r --include=.env KEY ."
    ]
  }
}
