/** The subcommands of git that change the repository, leave the machine, or start programs by their nature. */
import type { Deed } from "../Finding.ts"
import type { Subcommand } from "../Program.ts"

const all = (does: Deed, because: string, names: string): ReadonlyArray<readonly [string, Subcommand]> =>
  names.split(/\s+/).map((name) => [name, { does, because }])

export const otherSubcommands: Readonly<Record<string, Subcommand>> = Object.fromEntries([
  ...all(
    "controls",
    "changes the repository",
    `add am apply bisect checkout checkout-index cherry-pick clean commit commit-graph commit-tree fast-import filter-branch
    filter-repo flow fmt-merge-msg gc hash-object init lfs maintenance merge merge-file merge-index mktag mktree
    multi-pack-index mv pack-objects pack-refs prune prune-packed read-tree rebase repack replace rerere reset restore
    revert rm sparse-checkout switch unpack-objects update-index update-ref update-server-info write-tree quiltimport
    index-pack refs format-patch bundle archive annex subtree`
  ),
  ...all(
    "network",
    "reaches another repository",
    `clone fetch fetch-pack ls-remote pull push send-pack submodule remote-http remote-https request-pull send-email
    imap-send svn p4 cvsimport http-fetch http-push credential credential-cache credential-store`
  ),
  ...all(
    "runs",
    "starts other programs",
    `difftool mergetool gui gitk citool instaweb daemon upload-pack receive-pack upload-archive shell hook web--browse
    for-each-repo help cvsserver fsmonitor--daemon verify-commit verify-tag verify-pack fsck interpret-trailers`
  ),
  ...all("asks", "shows or changes settings, which may hold credentials", "config var")
])
