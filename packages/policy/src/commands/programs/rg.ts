/** rg(1), ripgrep 14. `--pre` and `-z` start programs; a glob may select what holds credentials. */
import { doing, flags, type Program, paths, patterns, values } from "../Program.ts"

export const rg: Program = {
  names: ["rg"],
  does: "reads",
  grammar: { abbreviations: false, digits: true },
  options: [
    flags(
      "-a -b -c -F -h -H -i -I -l -L -n -N -o -p -P -q -s -S -U -u -v -V -w -x -0 -. --text --auto-hybrid-regex --no-auto-hybrid-regex --binary --no-binary --block-buffered --no-block-buffered --byte-offset --case-sensitive --column --no-column --count --count-matches --crlf --no-crlf --debug --no-encoding --files --files-with-matches --files-without-match --fixed-strings --no-fixed-strings --follow --no-follow --glob-case-insensitive --no-glob-case-insensitive --heading --no-heading --hidden --no-hidden --ignore --no-ignore --ignore-case --ignore-file-case-insensitive --no-ignore-file-case-insensitive --include-zero --no-include-zero --invert-match --no-invert-match --json --no-json --line-buffered --no-line-buffered --line-number --no-line-number --line-regexp --max-columns-preview --no-max-columns-preview --messages --no-messages --mmap --no-mmap --multiline --no-multiline --multiline-dotall --no-multiline-dotall --no-config --ignore-dot --no-ignore-dot --ignore-exclude --no-ignore-exclude --ignore-files --no-ignore-files --ignore-global --no-ignore-global --ignore-messages --no-ignore-messages --ignore-parent --no-ignore-parent --ignore-vcs --no-ignore-vcs --require-git --no-require-git --no-unicode --unicode --null --null-data --one-file-system --no-one-file-system --only-matching --passthru --pcre2 --no-pcre2 --pcre2-unicode --no-pcre2-unicode --pcre2-version --pretty --no-pre --quiet --no-search-zip --smart-case --sort-files --no-sort-files --stats --no-stats --stop-on-nonmatch --trace --trim --no-trim --type-list --unrestricted --version --vimgrep --with-filename --no-filename --word-regexp --no-context-separator"
    ),
    values(
      "-A -B -C -d -e -E -j -m -M -r -t -T --after-context --before-context --color --colors --context --context-separator --dfa-size-limit --encoding --engine --field-context-separator --field-match-separator --generate --hyperlink-format --max-columns --max-count --max-depth --maxdepth --max-filesize --path-separator --regex-size-limit --regexp --replace --sort --sortr --threads --type --type-add --type-clear --type-not"
    ),
    patterns("-g --glob --iglob"),
    paths("-f --file --ignore-file"),
    doing("runs", "-z --search-zip"),
    doing("runs", "--pre --hostname-bin", "next"),
    values("--pre-glob")
  ],
  operands: { first: ["text"], rest: "path", firstGivenBy: "-e --regexp -f --file --files --type-list" },
  examples: {
    allowed: ["rg -n 'fetch' src", "rg -g '*.ts' needle", "rg -n --hidden -g '!.git' TODO .", "rg --files"],
    refused: [
      "rg --pre=cat needle",
      "rg --pre cat needle",
      "rg -f.npmrc src",
      "rg needle /home",
      "rg -z needle",
      "rg -g '.env' KEY"
    ]
  }
}
