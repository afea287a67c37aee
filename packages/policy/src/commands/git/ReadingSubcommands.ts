/** The subcommands of git that read, with their options. Sources: the manual page of each, git 2.45. */
import { doing, flags, type Line, type Notes, optional, paths, type Subcommand, uses, values } from "../Program.ts"
import { diffOptions } from "./DiffOptions.ts"
import { judgeOperand, reading } from "./GitReading.ts"
import { historyOptions } from "./HistoryOptions.ts"

const walks = [...diffOptions, ...historyOptions]
const refFilters = "--contains --no-contains --merged --no-merged --points-at"

export const readingSubcommands: Readonly<Record<string, Subcommand>> = {
  status: reading(
    [
      flags(`-s -b -v -z --short --branch --show-stash --long --verbose --null --renames --no-renames --ahead-behind
        --no-ahead-behind --no-column`),
      optional("-u -M --porcelain --untracked-files --ignored --column --find-renames --ignore-submodules")
    ],
    ["index", "diff", "textconv", "pager"]
  ),
  diff: reading(diffOptions, ["index", "diff", "textconv", "pager", "content"]),
  "diff-files": reading([...diffOptions, flags("-q")], ["index", "diff", "textconv", "content"]),
  "diff-index": reading(diffOptions, ["index", "diff", "textconv", "content"]),
  "diff-tree": reading(walks, ["diff", "textconv", "content"]),
  "range-diff": reading([...walks, values("--creation-factor")], ["diff", "textconv", "pager", "content"]),
  log: reading(walks, ["diff", "textconv", "pager", "signature", "content"], judgeWalk),
  show: reading(walks, ["diff", "textconv", "pager", "signature", "content"], judgeWalk),
  whatchanged: reading(walks, ["diff", "textconv", "pager", "signature", "content"], judgeWalk),
  shortlog: reading(
    [
      ...historyOptions,
      flags("-s -n -e -c --summary --numbered --email --committer"),
      optional("-w"),
      values("--group")
    ],
    ["pager"]
  ),
  "rev-list": reading(walks, ["content"]),
  cherry: reading([flags("-v --verbose"), optional("--abbrev")], []),
  reflog: reading(walks, ["diff", "textconv", "pager", "signature", "content"], (line, notes) => {
    changesWith(line, notes, ["expire", "delete", "drop", "write"])
    judgeWalk(line, notes)
  }),
  blame: blame(),
  annotate: blame(),
  grep: reading(
    [
      flags(`-a -I -i -w -v -h -H -E -G -F -P -n -l -L -c -q -p -W -z -o -r --cached --untracked --no-index --text
        --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --fixed-strings
        --perl-regexp --line-number --column --files-with-matches --name-only --files-without-match --count
        --heading --break --show-function --function-context --quiet --all-match --and --or --not --recursive
        --no-recursive --recurse-submodules --no-textconv --exclude-standard --no-exclude-standard --null
        --only-matching --no-color`),
      values(
        "-e -A -B -C -m --after-context --before-context --context --max-depth --max-count --threads --parent-basename"
      ),
      optional("--color"),
      paths("-f"),
      doing("runs", "-O --open-files-in-pager", "glued"),
      doing("runs", "--textconv --ext-grep")
    ],
    ["index", "pager", "content"],
    (line, notes) => {
      const first = uses(line, "-e -f") ? 0 : 1
      for (const operand of line.operands.slice(first)) judgeOperand(operand, notes)
    }
  ),
  "ls-files": reading(
    [
      flags(`-c -d -m -o -i -s -u -k -t -v -f -z --cached --deleted --modified --others --ignored --stage --unmerged
        --killed --directory --no-empty-directory --eol --deduplicate --debug --full-name --recurse-submodules
        --error-unmatch --exclude-standard --resolve-undo --sparse`),
      values("-x --exclude --exclude-per-directory --format --with-tree"),
      optional("--abbrev"),
      paths("-X --exclude-from")
    ],
    ["index"]
  ),
  "ls-tree": reading(
    [
      flags("-d -r -t -l -z --long --name-only --name-status --object-only --full-name --full-tree"),
      optional("--abbrev"),
      values("--format")
    ],
    []
  ),
  "cat-file": reading(
    [
      flags(`-p -t -s -e -z -Z --batch-all-objects --buffer --unbuffered --follow-symlinks --unordered
        --allow-unknown-type --mailmap --use-mailmap --no-mailmap`),
      optional("--batch-check"),
      doing("asks", "--batch --batch-command", "glued"),
      values("--path --filter"),
      doing("runs", "--textconv --filters")
    ],
    ["content"]
  ),
  "rev-parse": reading(
    [
      flags(`-q --quiet --verify --show-toplevel --git-dir --git-common-dir --absolute-git-dir --is-inside-git-dir
        --is-inside-work-tree --is-bare-repository --is-shallow-repository --show-superproject-working-tree
        --show-cdup --show-prefix --symbolic --symbolic-full-name --all --local-env-vars --revs-only --no-revs
        --flags --no-flags --not --sq --shared-index-path`),
      optional("--abbrev-ref --short --branches --tags --remotes --show-object-format --path-format"),
      values("--default --git-path --glob --exclude --since --after --until --before --disambiguate")
    ],
    []
  ),
  describe: reading(
    [
      flags("--tags --all --contains --long --always --exact-match --first-parent --debug"),
      values("--candidates --match --exclude"),
      optional("--abbrev --dirty --broken")
    ],
    ["index"]
  ),
  "name-rev": reading(
    [flags("--tags --all --stdin --annotate-stdin --name-only --always --no-undefined"), values("--refs --exclude")],
    []
  ),
  "for-each-ref": reading(
    [
      flags("-s -p --shell --perl --python --tcl --ignore-case --omit-empty --include-root-refs --stdin"),
      values("--count --sort --format --exclude --start-after --points-at"),
      optional("--color --contains --no-contains --merged --no-merged")
    ],
    []
  ),
  "show-ref": reading(
    [
      flags("-q -d --quiet --tags --heads --branches --dereference --head --verify --exists"),
      optional("-s --hash --abbrev")
    ],
    []
  ),
  "show-branch": reading(
    [
      flags(`-r -a --remotes --all --current --topo-order --date-order --sparse --merge-base --independent --no-name
        --sha1-name --topics --list`),
      optional("-g --more --color --reflog")
    ],
    []
  ),
  "merge-base": reading([flags("-a --all --octopus --independent --is-ancestor --fork-point")], []),
  "count-objects": reading([flags("-v -H --verbose --human-readable")], []),
  "check-ignore": reading(
    [flags("-q -v -n -z --quiet --verbose --non-matching --no-index --stdin")],
    ["index"],
    namesOnly
  ),
  "check-attr": reading([flags("-a -z --all --cached --stdin"), values("--source")], ["index"], namesOnly),
  "check-ref-format": reading(
    [flags("--branch --normalize --print --allow-onelevel --no-allow-onelevel --refspec-pattern")],
    []
  ),
  version: reading([flags("--build-options")], []),
  branch: reading(
    [
      flags(`-a -r -v -i -q -l --all --remotes --verbose --list --show-current --no-column --no-color --no-abbrev
        --ignore-case --omit-empty --quiet`),
      optional(`--color --column --abbrev ${refFilters}`),
      values("--sort --format"),
      doing(
        "controls",
        `-d -D -m -M -c -C -f --delete --move --copy --force --unset-upstream --no-track
        --edit-description --create-reflog --recurse-submodules`
      ),
      doing("controls", "-t --track", "glued"),
      doing("controls", "-u --set-upstream-to", "next")
    ],
    ["pager"],
    (line, notes) => listsOnly(line, notes, `--list -l --show-current ${refFilters}`)
  ),
  tag: reading(
    [
      flags("-l -i --list --ignore-case --no-column --no-color --omit-empty"),
      optional(`-n --color --column ${refFilters}`),
      values("--sort --format"),
      doing("controls", "-a -s -f -d -e --annotate --sign --no-sign --force --delete --edit --create-reflog"),
      doing("controls", "-m -F -u --message --file --local-user --cleanup --trailer", "next"),
      doing("runs", "-v --verify")
    ],
    ["pager"],
    (line, notes) => listsOnly(line, notes, `--list -l -n -v --verify ${refFilters}`)
  ),
  remote: reading([flags("-v --verbose --push --all -n")], [], (line, notes) => {
    const [action] = line.operands
    if (action === undefined || action.value === "get-url") return
    if (action.value === "show" && (uses(line, "-n") || line.operands.length === 1)) return
    const asksServer = action.value === "show" || action.value === "update" || action.value === "prune"
    notes.find(
      asksServer ? "network" : "controls",
      `git remote ${action.value} ${asksServer ? "asks the server" : "changes the remotes"}`,
      action
    )
  }),
  stash: reading(walks, ["diff", "textconv", "pager", "signature", "content"], (line, notes) => {
    onlyWith(line, notes, ["list", "show"])
    judgeWalk(line, notes)
  }),
  worktree: reading([flags("-v -z --verbose --porcelain"), values("--expire")], [], (line, notes) =>
    onlyWith(line, notes, ["list"])
  ),
  notes: reading([values("--ref")], ["pager"], (line, notes) => {
    const [action] = line.operands
    if (action !== undefined) onlyWith(line, notes, ["list", "show", "get-ref"])
  }),
  "symbolic-ref": reading(
    [flags("-q --quiet --short --recurse --no-recurse"), doing("controls", "-d -m --delete")],
    [],
    (line, notes) => {
      if (line.operands.length > 1)
        notes.find("controls", "git symbolic-ref with a second name changes the first", line.name)
    }
  )
}

function blame(): Subcommand {
  return reading(
    [
      flags(`-b -f -n -p -c -t -l -s -e -w -k --root --show-stats --progress --no-progress --score-debug --show-name
        --show-number --porcelain --line-porcelain --show-email --first-parent --minimal --color-lines
        --color-by-age --incremental --reverse`),
      values("-L --since --date --ignore-rev --encoding"),
      optional("-M -C --abbrev"),
      paths("-S --contents --ignore-revs-file")
    ],
    ["index", "textconv", "pager", "content"]
  )
}

/** Revisions and paths; `-L` names a file behind its last colon. */
function judgeWalk(line: Line, notes: Notes): void {
  for (const { name, value } of line.uses) {
    if (name === "-L" && value !== null) judgeOperand({ ...value, value: value.value.replace(/^.*:/, "") }, notes)
  }
  for (const operand of line.operands) judgeOperand(operand, notes)
}

/** Names are looked up, and nothing at them is read. */
function namesOnly(): void {}

/** With a name and without a word that lists, these make something. */
const listsOnly = (line: Line, notes: Notes, listing: string): void => {
  const [name] = line.operands
  if (name === undefined || uses(line, listing)) return
  notes.find("controls", `git ${line.subcommand?.value ?? ""} with a name changes the repository`, name)
}

const onlyWith = (line: Line, notes: Notes, actions: ReadonlyArray<string>): void => {
  const [action] = line.operands
  if (action !== undefined && actions.includes(action.value)) return
  const label = `git ${line.subcommand?.value ?? ""}${action === undefined ? "" : ` ${action.value}`}`
  notes.find("controls", `${label} changes the repository`, action ?? line.name)
}

const changesWith = (line: Line, notes: Notes, actions: ReadonlyArray<string>): void => {
  const [action] = line.operands
  if (action !== undefined && actions.includes(action.value)) onlyWith(line, notes, [])
}
