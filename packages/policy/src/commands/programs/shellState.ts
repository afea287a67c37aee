/** Builtins that change the shell that runs the rest, or have it run something else. */
import type { Program } from "../Program.ts"

export const shellState: Program = {
  names: `alias unalias unset hash enable shopt umask ulimit history fc bind complete compopt read mapfile readarray
    getopts let shift return exit logout break continue wait suspend disown bg fg jobs source . abbr
    setopt unsetopt emulate zmodload autoload noglob nocorrect functions`.split(/\s+/),
  does: "asks",
  because: "changes the shell that runs the rest",
  builtin: true,
  judge: (line, notes) => {
    const [file] = line.args
    if (line.name.value === "source" || line.name.value === ".") {
      if (file !== undefined) notes.reads(file)
      if (notes.standardInput !== null) notes.runsScript(notes.standardInput)
    }
    for (const word of line.name.value === "alias" ? line.args : []) {
      notes.runsScript({ ...word, value: word.value.replace(/^[^=]*=?/, "") })
    }
  },
  examples: {
    allowed: ["grep -n 'alias' notes.txt", "echo alias"],
    refused: ["alias ls=rm", "unset PATH", "umask 000", "source env.sh", ". ./env.sh", "exit"]
  }
}
