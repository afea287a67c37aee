/** sh(1), bash(1) and their like: code in an argument, in a file, or on standard input. */
import { flags, type Line, type Program, values } from "../Program.ts"

export const shells: Program = {
  names: `sh bash dash zsh ksh mksh ash rbash rksh yash posh fish csh tcsh pwsh nu elvish xonsh`.split(/\s+/),
  does: "runs",
  because: "runs code of its own",
  options: [
    flags("-a -b -e -f -h -i -k -l -m -n -p -r -s -t -u -v -x -B -C -E -H -P -T -c --login --posix --norc --noprofile"),
    flags("--restricted --verbose --debugger --noediting --dump-strings --wordexp --command"),
    values("-o -O --rcfile --init-file --init-command")
  ],
  grammar: { stopsAtOperand: true },
  judge: (line, notes) => {
    const [script, ...positional] = line.operands.filter(({ value }) => !/^\+[A-Za-z]+$/.test(value))
    if (takesCode(line)) {
      if (script !== undefined) notes.runsScript(script, positional)
    } else if (script !== undefined && script.value !== "-") notes.reads(script)
    // Without a script, and with one that leads back to it, standard input is the code.
    if (
      notes.standardInput !== null &&
      (script === undefined || /^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(script.value))
    ) {
      notes.runsScript(notes.standardInput)
    }
  },
  examples: {
    allowed: ["grep -n bash notes.txt", "echo sh"],
    refused: [
      "sh -c ls",
      "bash -lc 'ls'",
      "bash run.sh",
      "sh ./install",
      "dash -ec ls",
      "bash <<< 'echo hi'",
      "gzip -dc x.gz | bash"
    ]
  }
}

const takesCode = (line: Line): boolean => line.uses.some(({ name }) => name === "-c" || name === "--command")
