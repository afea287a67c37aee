/** ssh(1): a command on another machine. Ruin there is ruin as well. */
import { flags, type Program, values } from "../Program.ts"

export const ssh: Program = {
  names: ["ssh", "autossh", "rsh", "sshpass"],
  does: "network",
  because: "reaches another machine",
  options: [
    flags("-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y"),
    values("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w")
  ],
  grammar: { stopsAtOperand: true },
  judge: (line, notes) => {
    const [first, ...rest] = line.operands.slice(1)
    if (first !== undefined) notes.runsScript({ ...first, value: [first, ...rest].map(({ value }) => value).join(" ") })
  },
  examples: {
    allowed: ["echo ssh", "cat docs/ssh.md"],
    refused: ["ssh host", "ssh user@192.0.2.1 ls", "ssh host rm -rf build"]
  }
}
