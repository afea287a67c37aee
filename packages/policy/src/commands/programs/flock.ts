/** flock(1), util-linux: a lock file, then a command. */
import { flags, type Program, values } from "../Program.ts"

export const flock: Program = {
  names: ["flock", "lockfile", "setlock"],
  does: "runs",
  because: "locks a file and starts a command",
  grammar: { stopsAtOperand: true },
  options: [
    flags("-e -x -s -u -n -o -F --exclusive --shared --unlock --nonblock --close --no-fork --verbose"),
    values("-w -E --timeout --conflict-exit-code")
  ],
  opens: 1,
  judge: (line, notes) => {
    const [, flag, script] = line.operands
    if (script !== undefined && /^(?:-c|--command)$/.test(flag?.value ?? "")) notes.runsScript(script)
  },
  examples: {
    allowed: ["grep -n 'flock' notes.txt", "echo flock"],
    refused: ["flock /tmp/l rm a", "flock l -c 'rm a'"]
  }
}
