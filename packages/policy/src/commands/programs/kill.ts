/** kill(1). The process -1 is every process there is. */
import type { Program } from "../Program.ts"

export const kill: Program = {
  names: ["kill", "killall5"],
  does: "controls",
  because: "ends processes",
  builtin: true,
  alsoProgram: true,
  judge: (line, notes) => {
    if (line.name.value === "killall5") notes.find("ruins", "killall5 ends every process", line.name)
    const [first, ...rest] = line.args
    // A first word that begins with a hyphen is a signal, unless it is all there is.
    const named =
      first !== undefined && /^-(?:[A-Za-z]|\d)/.test(first.value) && first.value !== "--" ? rest : line.args
    const all = named.find(
      ({ value }, index) => value === "-1" && !/^-(?:n|s|-signal)$/.test(named[index - 1]?.value ?? "")
    )
    const only = first !== undefined && rest.length === 0 && first.value === "-1" ? first : undefined
    const process = all ?? only
    if (process !== undefined) notes.find("ruins", "kill -1 ends every process", process)
  },
  examples: {
    allowed: ["grep -n 'kill' notes.txt", "echo kill"],
    refused: [
      "kill -9 1234",
      "kill %1",
      "kill -9 -1",
      "kill -KILL -1",
      "kill -s KILL -- -1",
      "kill -1",
      "/bin/kill -9 -1"
    ]
  }
}
