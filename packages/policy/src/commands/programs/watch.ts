/** watch(1), procps: a command again and again. */
import { flags, optional, type Program, values } from "../Program.ts"

export const watch: Program = {
  names: ["watch"],
  does: "runs",
  because: "repeats a command without an end",
  grammar: { stopsAtOperand: true },
  options: [
    flags(
      "-b -c -C -d -e -g -p -q -r -t -w -x --beep --color --no-color --errexit --chgexit --precise --no-rerun --no-title --no-wrap --exec"
    ),
    values("-n -q --interval --equexit"),
    optional("--differences")
  ],
  judge: (line, notes) => {
    const [first] = line.operands
    if (first === undefined) return
    notes.runsScript({ ...first, value: line.operands.map(({ value }) => value).join(" ") })
  },
  examples: {
    allowed: ["grep -n 'watch' notes.txt", "echo watch"],
    refused: ["watch ls", "watch -n 1 npm test", "watch 'rm -rf build'"]
  }
}
