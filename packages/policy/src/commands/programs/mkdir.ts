/** Programs that make files: mkdir(1), mkfifo(1), mknod(1), touch(1), mktemp(1), truncate(1), fallocate(1). */
import type { Program } from "../Program.ts"

export const mkdir: Program = {
  names: ["mkdir", "mkfifo", "mknod", "touch", "mktemp", "truncate", "fallocate"],
  does: "changes",
  because: "makes or changes files",
  judge: (line, notes) => {
    for (const operand of line.operands) {
      notes.reads(operand)
      notes.writes(operand)
    }
  },
  examples: {
    allowed: ["grep -n 'mkdir' notes.txt", "echo mkdir"],
    refused: ["mkdir build", "touch -- -rf", "mkfifo pipe", "truncate -s 0 /dev/sda", "touch /etc/x"]
  }
}
