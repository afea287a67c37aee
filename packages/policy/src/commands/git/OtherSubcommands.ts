/** The subcommands of git that change the repository, leave the machine, or start programs by their nature. */
import type { Deed } from "../Finding.ts"
import type { Subcommand } from "../Program.ts"
import { commandsOf } from "./CommandsOfGit.ts"

const all = (does: Deed, because: string, names: string): ReadonlyArray<readonly [string, Subcommand]> =>
  names.split(/\s+/).map((name) => [name, { does, because }])

/** Reads with one of these words, and alone where `readsAlone` says so, does something graver with every other one; asks either way. */
const unless = (
  does: Deed,
  because: string,
  readingWords: string,
  names: string,
  readsAlone = false
): ReadonlyArray<readonly [string, Subcommand]> => {
  const reading = new Set(readingWords.split(/\s+/))
  return names.split(/\s+/).map((name) => [
    name,
    {
      does: "asks",
      because: "is not known in every form",
      judge: (line, notes) => {
        if (line.args.some(({ value }) => reading.has(value)) || (readsAlone && line.args.length === 0)) return
        notes.find(does, `git ${name} ${because}`, line.subcommand ?? line.name)
      }
    }
  ])
}

/** The subcommand, and the commands that its words hold. */
const withCommands = ([name, subcommand]: readonly [string, Subcommand]): readonly [string, Subcommand] => {
  const commands = commandsOf[name]
  if (commands === undefined) return [name, subcommand]
  const { judge } = subcommand
  return [
    name,
    {
      ...subcommand,
      judge: (line, notes) => {
        judge?.(line, notes)
        commands(line, notes)
      }
    }
  ]
}

const subcommands: ReadonlyArray<readonly [string, Subcommand]> = [
  ...all(
    "controls",
    "changes the repository",
    `am checkout checkout-index cherry-pick commit-graph commit-tree fast-import filter-branch filter-repo flow gc init
    maintenance merge merge-file merge-index mktag mktree multi-pack-index mv pack-objects pack-refs prune prune-packed
    read-tree rebase repack reset restore revert switch unpack-objects update-index update-ref
    update-server-info write-tree quiltimport index-pack refs annex subtree`
  ),
  ...unless("controls", "changes the repository", "-n --dry-run", "add clean commit rm"),
  ...unless("controls", "changes the repository", "--stat --numstat --summary --check", "apply"),
  ...unless("controls", "changes the repository", "log view visualize terms", "bisect"),
  ...unless("controls", "changes the repository", "ls-files status env logs version track", "lfs"),
  ...unless("controls", "changes the repository", "status diff remaining", "rerere"),
  ...unless("controls", "changes the repository", "-l --list", "replace"),
  ...unless("controls", "changes the repository", "list check-rules", "sparse-checkout"),
  ...unless("controls", "writes files", "verify list-heads", "bundle"),
  ...unless("controls", "writes files", "--stdout", "format-patch"),
  ...unless("network", "reaches another repository", "status summary", "submodule", true),
  ...all(
    "network",
    "reaches another repository",
    `clone fetch fetch-pack ls-remote pull push send-pack remote-http remote-https request-pull send-email imap-send svn
    p4 cvsimport http-fetch http-push credential credential-cache credential-store`
  ),
  ...all(
    "runs",
    "starts other programs",
    `difftool mergetool gui gitk citool instaweb daemon upload-pack receive-pack upload-archive shell hook web--browse
    for-each-repo cvsserver fsmonitor--daemon`
  ),
  ...all("asks", "shows or changes settings, which may hold credentials", "config var"),
  ...all(
    "asks",
    "is not known in every form",
    `archive check-mailmap column fmt-merge-msg fsck get-tar-commit-id hash-object help interpret-trailers mailinfo
    merge-tree patch-id show-index stripspace unpack-file verify-commit verify-pack verify-tag`
  )
]

export const otherSubcommands: Readonly<Record<string, Subcommand>> = Object.fromEntries(subcommands.map(withCommands))
