/** su(1) and its like: another user's rights. `-c` holds a command for a shell. */
import { doing, flags, type Program, values } from "../Program.ts"

export const su: Program = {
  names: ["su", "runuser", "sg", "newgrp"],
  does: "controls",
  because: "asks for more rights than the host was given",
  options: [
    flags("- -l -m -p -f -P --login --preserve-environment --fast --pty"),
    values("-g -G -s -u -w --group --supp-group --shell --user --whitelist-environment"),
    doing("controls", "-c --command --session-command", "next")
  ],
  judge: (line, notes) => {
    for (const { name, value } of line.uses) {
      if (value !== null && /^(?:-c|--command|--session-command)$/.test(name)) notes.runsScript(value)
    }
    if (line.uses.some(({ name }) => name === "-u" || name === "--user")) notes.starts(line.operands)
  },
  examples: { allowed: ["echo su", "grep -n su notes.txt"], refused: ["su -c id", "su -", "su root -c 'rm a'"] }
}
