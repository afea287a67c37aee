/** chmod(1), chown(1). Over a whole tree of the system they are ruin. */
import { doing, type Program } from "../Program.ts"

export const chmod: Program = {
  names: ["chmod", "chown"],
  does: "changes",
  because: "changes who may use files",
  ruinsPlaces: true,
  options: [doing("changes", "-R --recursive")],
  judge: (line, notes) => {
    const recursive = line.args.some(({ value }) => /^(?:-[A-Za-z]*R|--recu)/.test(value))
    const [mode, ...files] = line.operands
    if (mode !== undefined && /^0*[2-7]\d{3}$|[+=][a-z]*s/.test(mode.value)) {
      notes.find("controls", "chmod lets a program run with its owner's rights", mode)
    }
    for (const file of [mode, ...files]) {
      if (file === undefined) continue
      notes.writes(file)
      if (file !== mode) notes.reads(file)
      if (recursive && notes.isRuinous(file))
        notes.find("ruins", `${line.name.value} -R changes a folder of the system`, file)
    }
  },
  examples: {
    allowed: ["grep -n 'chmod' notes.txt", "echo chmod"],
    refused: ["chmod +x run.sh", "chmod 4755 x", "chown -R nobody /", "chmod -R 777 /etc"]
  }
}
