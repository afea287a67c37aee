/** sed(1), GNU sed. What it does is decided by its script, which is read as sed reads it. */
import type { Argument } from "../Argument.ts"
import { sedEffects } from "../languages/SedScript.ts"
import { doing, flags, type Line, type Notes, type Program, values } from "../Program.ts"

export const sed: Program = {
  names: ["sed", "gsed"],
  does: "reads",
  options: [
    flags("-n -E -r -s -u -z --quiet --silent --regexp-extended --separate --unbuffered --null-data --zero-terminated"),
    flags("--debug --posix --sandbox --follow-symlinks"),
    values("-e -l --expression --line-length"),
    doing("changes", "-i --in-place", "glued"),
    doing("runs", "-f --file", "next")
  ],
  operands: { first: ["text"], rest: "path", firstGivenBy: "-e --expression -f --file" },
  judge: (line, notes) => {
    const expressions = line.uses.filter((use) => use.name === "-e" || use.name === "--expression")
    // Several expressions are one script, a line each: `-e 'a\' -e 'text'` is one command.
    const [first] = expressions
    if (first !== undefined && first.value !== null) {
      const joined = expressions.map((use) => use.value?.value ?? "").join("\n")
      judgeScript({ ...first.value, value: joined }, notes)
    } else if (!line.uses.some((use) => use.name === "-f" || use.name === "--file")) judgeOperand(line, notes)
    for (const use of line.uses) if (use.group?.does === "runs" && use.value !== null) notes.reads(use.value)
  },
  examples: {
    allowed: [
      "sed -n '10,20p' src/app.ts",
      "sed 's/a/b/' a.txt",
      "sed -n '/we write/p' a.txt",
      "nl -ba a.ts | sed -n '5,9p'"
    ],
    refused: [
      "sed -i s/a/b/ a.txt",
      "sed -nEi p a.txt",
      "sed --in-pl s/a/b/ a.txt",
      "sed -n 'w out.txt' a.txt",
      "sed -ne p -e 'w out.txt' a.txt",
      "sed 's/a/id/e' a.txt",
      "sed -n 1eid a.txt",
      "sed -n r.env a.txt",
      "sed -n '\\,x,w out.txt' a.txt",
      "sed -nfs.sed a.txt"
    ]
  }
}

const judgeOperand = (line: Line, notes: Notes): void => {
  const [script] = line.operands
  if (script !== undefined) judgeScript(script, notes)
}

const judgeScript = (script: Argument, notes: Notes): void => {
  for (const effect of sedEffects(script.value)) {
    switch (effect.kind) {
      case "runs":
        notes.find("runs", "sed: the script starts a command", script)
        break
      case "unknown":
        notes.find("asks", `sed: ${effect.what}`, script)
        break
      case "reads":
        notes.reads({ ...script, value: effect.file })
        break
      case "writes":
        if (effect.file === "/dev/stdout" || effect.file === "/dev/stderr") break
        notes.find("changes", "sed: the script writes a file", script)
        notes.writes({ ...script, value: effect.file })
        break
    }
  }
}
