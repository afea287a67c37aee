/**
 * git(1). A repository chooses programs that git runs: an unasked git command looks at the repository's own settings
 * first. Options before the subcommand can choose programs and repositories as well.
 */
import { judgeGivenSettings } from "../git/CommandsOfGit.ts"
import { otherSubcommands } from "../git/OtherSubcommands.ts"
import { readingSubcommands } from "../git/ReadingSubcommands.ts"
import { doing, flags, type Program } from "../Program.ts"

export const git: Program = {
  names: ["git"],
  does: "reads",
  options: [
    flags(`-P --no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --no-advice --literal-pathspecs
      --glob-pathspecs --noglob-pathspecs --icase-pathspecs --html-path --man-path --info-path`),
    doing("text", "-C", "next"),
    doing("runs", "-c --config-env", "next"),
    doing("runs", "--exec-path", "glued"),
    doing("runs", "-p --paginate"),
    doing("asks", "--bare"),
    doing("asks", "--git-dir --work-tree --namespace --super-prefix --attr-source --list-cmds", "next")
  ],
  grammar: { stopsAtOperand: true, abbreviations: false },
  subcommands: { ...otherSubcommands, ...readingSubcommands },
  judge: (line, notes) => {
    judgeGivenSettings(line, notes)
    for (const { name, value } of line.uses) if (name === "-C" && value !== null) notes.movesTo(value)
  },
  examples: {
    allowed: [
      "git status --short",
      "git --no-pager log -5",
      "git -C packages/core log --oneline",
      "git diff HEAD~1 -- src/app.ts",
      "git diff main...HEAD --stat",
      "git show HEAD:src/app.ts",
      "git branch --list 'release/*'",
      "git remote -v",
      "git log --grep 'rm -rf /'",
      "git blame -L 10,20 src/app.ts",
      "git rev-parse --show-toplevel"
    ],
    refused: [
      "git commit -m x",
      "git -c core.pager=./x log",
      "git -p log",
      "git -C .. status",
      "git --git-dir=x status",
      "git diff --ext-diff",
      "git diff --output=d.patch",
      "git log -1 --output d.patch",
      "git show main:config/.env.local",
      "git log --format=%G?",
      "git grep -O./x needle",
      "git branch new",
      "git tag v1",
      "git remote show origin",
      "git stash",
      "git config --get-all credential.helper",
      "git diff -O/etc/passwd",
      "git frobnicate",
      "git -c alias.x='!rm -rf /' x",
      "git -c core.pager='rm -rf ~' log",
      "git submodule foreach 'rm -rf /'",
      "git bisect run rm -rf /",
      "git rebase --exec='rm -rf /' main",
      "git filter-branch --tree-filter 'rm -rf /' HEAD"
    ]
  }
}
