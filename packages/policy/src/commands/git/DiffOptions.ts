/** The options of everything in git that shows differences. Source: git-diff(1), git-log(1) "Diff Formatting". */
import { doing, flags, type OptionGroup, optional, paths, values, writes } from "../Program.ts"

export const diffOptions: ReadonlyArray<OptionGroup> = [
  flags(`-p -u -s -z -R -a -b -w -W -D -c -m -r -t --patch --no-patch --raw --patch-with-raw --indent-heuristic
    --no-indent-heuristic --minimal --patience --histogram --compact-summary --numstat --shortstat --summary
    --patch-with-stat --name-only --name-status --no-color --no-color-moved --no-color-moved-ws --no-renames
    --rename-empty --no-rename-empty --check --full-index --binary --pickaxe-all --pickaxe-regex --text
    --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines
    --function-context --no-function-context --exit-code --quiet --no-ext-diff --no-textconv --no-prefix
    --default-prefix --ita-invisible-in-index --ita-visible-in-index --irreversible-delete --find-copies-harder
    --follow --no-follow --cached --staged --merge-base --no-relative --cc --combined-all-paths --no-diff-merges --dd
    --remerge-diff --cumulative --no-index --base --ours --theirs --root --no-abbrev --always
    --dense-combined --no-commit-id`),
  optional(`--stat -X --dirstat --dirstat-by-file --submodule --color --color-moved --word-diff --color-words -B
    --break-rewrites -M --find-renames -C --find-copies --abbrev --relative --ignore-submodules --unified`),
  values(`-U -l -S -G -I --color-moved-ws --word-diff-regex --ws-error-highlight --diff-filter --find-object
    --inter-hunk-context --src-prefix --dst-prefix --line-prefix --ignore-matching-lines --anchored --diff-algorithm
    --output-indicator-new --output-indicator-old --output-indicator-context --skip-to --rotate-to --diff-merges
    --stat-width --stat-name-width --stat-count --stat-graph-width --max-depth`),
  paths("-O"),
  writes("--output"),
  doing("asks", "--stdin"),
  doing("runs", "--ext-diff --textconv")
]
