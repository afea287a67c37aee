/** systemctl(1), loginctl(1). */
import type { Program } from "../Program.ts"

export const systemctl: Program = {
  names: ["systemctl", "loginctl"],
  does: "controls",
  because: "controls the services of the machine",
  judge: (line, notes) => {
    const ending = line.operands.find(({ value }) =>
      /^(?:poweroff|reboot|halt|kexec|soft-reboot|rescue|emergency|hibernate|suspend|hybrid-sleep|suspend-then-hibernate|exit)(?:\.target)?$/.test(
        value
      )
    )
    if (ending !== undefined) notes.find("ruins", `${line.name.value} ${ending.value} ends the machine`, ending)
  },
  examples: {
    allowed: ["grep -n 'systemctl' notes.txt", "echo systemctl"],
    refused: [
      "systemctl status nginx",
      "systemctl poweroff",
      "systemctl reboot -i",
      "systemctl isolate poweroff.target"
    ]
  }
}
