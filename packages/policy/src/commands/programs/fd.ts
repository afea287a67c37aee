/** fd(1): names of files. `-x` and `-X` start a command for what is found. */
import { doing, flags, type Program, paths, values } from "../Program.ts"

export const fd: Program = {
  names: ["fd", "fdfind"],
  does: "reads",
  options: [
    flags(`-H -I -u -s -i -g -F -a -l -L -p -0 -1 -q -h -V --hidden --no-ignore --no-ignore-vcs --no-ignore-parent
      --no-require-git --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path
      --list-details --follow --full-path --print0 --prune --quiet --show-errors --one-file-system --has-results
      --no-global-ignore-file --relative-path`),
    values(`-E -d -t -e -S -o -c -j --max-depth --min-depth --exact-depth --type --extension --size --changed-within
      --changed-before --owner --color --threads --max-results --max-buffer-time --path-separator --and --format
      --strip-cwd-prefix --hyperlink --exclude`),
    paths("--search-path --base-directory -C --ignore-file"),
    doing("runs", "-x -X --exec --exec-batch", "next")
  ],
  grammar: { abbreviations: false },
  operands: { first: ["text"], rest: "path" },
  judge: (line, notes) => {
    const at = line.args.findIndex(({ value }) => /^(?:-[A-Za-z]*[xX]|--exec(?:-batch)?)$/.test(value))
    if (at >= 0) notes.starts(line.args.slice(at + 1), true)
  },
  examples: {
    allowed: ["fd -e ts", "fd --hidden config src", "fd -t f needle"],
    refused: ["fd -e tmp -x rm", "fd needle /etc", "fd --exec-batch vim", "fd --base-directory=/ x"]
  }
}
