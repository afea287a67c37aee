/** rm(1). Removing the root, a home or a folder of the system is ruin, in whatever spelling. */
import { flags, optional, type Program, uses } from "../Program.ts"

export const rm: Program = {
  names: ["rm", "grm", "trash", "rimraf", "del-cli"],
  does: "changes",
  because: "removes files",
  ruinsPlaces: true,
  options: [
    flags("-r -R -d -f -i -I -v --recursive --dir --force --verbose --one-file-system --no-preserve-root"),
    optional("--interactive --preserve-root")
  ],
  judge: (line, notes) => {
    const recursive = uses(line, "-r -R --recursive") || line.name.value === "rimraf"
    for (const operand of line.operands) {
      notes.reads(operand)
      notes.writes(operand)
      if (recursive && notes.isRuinous(operand))
        notes.find("ruins", "rm removes the root, a home or a folder of the system", operand)
      else if (/^(?:\.\/?|\.\/?\*|\*)$/.test(operand.value))
        notes.find("controls", "rm empties the folder itself", operand)
    }
  },
  examples: {
    allowed: ["grep -n 'rm' notes.txt", "echo rm", "git log --grep 'rm -rf /'"],
    refused: [
      "rm a.txt",
      "rm -rf build",
      "rm -rf /",
      "rm --recursive --force /",
      "rm -fr ~/",
      "rm -rf /etc",
      'rm -rf "$HOME"',
      "rm -r $DIR",
      "rm -rf .git",
      "rm -rf -- *",
      "rm -rf ../other"
    ]
  }
}
