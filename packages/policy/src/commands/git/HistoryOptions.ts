/** The options of everything in git that walks through commits. Source: git-log(1), git-rev-list(1), git-shortlog(1). */
import { doing, flags, type OptionGroup, optional, values } from "../Program.ts"

export const historyOptions: ReadonlyArray<OptionGroup> = [
  flags(`-i -E -F -P -g --oneline --graph --no-graph --all --no-decorate --clear-decorations --source --mailmap
    --use-mailmap --no-mailmap --no-use-mailmap --log-size --all-match --invert-grep --regexp-ignore-case
    --basic-regexp --extended-regexp --fixed-strings --perl-regexp --remove-empty --merges --no-merges
    --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --not --reflog --alternate-refs
    --single-worktree --ignore-missing --bisect --cherry-mark --cherry-pick --left-only --right-only --cherry
    --walk-reflogs --merge --boundary --simplify-by-decoration --show-pulls --full-history --dense --sparse
    --simplify-merges --date-order --author-date-order --topo-order --reverse --do-walk --abbrev-commit
    --no-abbrev-commit --no-expand-tabs --no-notes --no-standard-notes --standard-notes --relative-date --parents
    --children --left-right --full-diff --count --timestamp --header --objects --objects-edge --unpacked --quiet
    --use-bitmap-index --no-commit-header --commit-header --in-commit-order -x`),
  optional(`--branches --tags --remotes --decorate --ancestry-path --no-walk --pretty --expand-tabs --notes
    --show-notes --show-linear-break --abbrev --disk-usage`),
  values(`-n -L --glob --exclude --exclude-hidden --decorate-refs --decorate-refs-exclude --max-count --skip --since
    --after --until --before --since-as-filter --min-age --max-age --author --committer --grep-reflog --grep
    --min-parents --max-parents --format --encoding --date --missing --filter`),
  doing("runs", "--show-signature")
]
