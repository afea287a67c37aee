/** rsync(1) and its like. A name with a colon is another machine; `-e` starts a program. */
import type { Program } from "../Program.ts"

export const rsync: Program = {
  names: ["rsync", "rclone", "unison", "scp", "sftp", "lftp"],
  does: "changes",
  because: "copies files, to another machine perhaps",
  judge: (line, notes) => {
    const deletes = line.args.some(({ value }) => value.startsWith("--del"))
    const remote = line.name.value.includes("rsync")
      ? line.operands.find(({ value }) => /^[^/]*:|^rsync:/.test(value))
      : line.name
    if (remote !== undefined) notes.find("network", `${line.name.value} reaches another machine`, remote)
    const shell = line.args.find(({ value }) => /^(?:-[a-zA-Z]*e|--rsh|--rsync-path)/.test(value))
    if (shell !== undefined) notes.find("runs", `${line.name.value} ${shell.value} starts a program`, shell)
    for (const operand of line.operands) {
      notes.reads(operand)
      notes.writes(operand)
    }
    const target = line.operands.at(-1)
    if (deletes && target !== undefined && notes.isRuinous(target))
      notes.find("ruins", "rsync --delete empties a folder of the system", target)
  },
  examples: {
    allowed: ["grep -n 'rsync' notes.txt", "echo rsync"],
    refused: ["rsync -a src/ dst/", "rsync -a src/ host:dst/", "rsync -a --delete empty/ /", "scp a.txt host:"]
  }
}
