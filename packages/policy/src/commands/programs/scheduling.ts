/** Wrappers that change how a command is scheduled or limited. */
import type { Program } from "../Program.ts"

export const scheduling: Program = {
  names: ["ionice", "chrt", "taskset", "numactl", "cpulimit", "prlimit", "schedtool", "choom"],
  does: "runs",
  because: "starts another command",
  grammar: { stopsAtOperand: true },
  judge: (line, notes) => {
    const start = line.args.findIndex((word) => !/^(?:-|\d|0x)/.test(word.value))
    const running = line.args.find(({ value }) => /^(?:-p|--pid|-a)/.test(value))
    if (running !== undefined) notes.find("controls", `${line.name.value} changes a process that runs`, running)
    if (start >= 0) notes.starts(line.args.slice(start))
  },
  examples: {
    allowed: ["grep -n 'ionice' notes.txt", "echo ionice"],
    refused: ["ionice -c3 make", "taskset 1 ./x", "chrt 1 ls"]
  }
}
