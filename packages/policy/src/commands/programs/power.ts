/** shutdown(8), reboot(8), halt(8), poweroff(8). */
import type { Program } from "../Program.ts"

export const power: Program = {
  names: ["shutdown", "reboot", "halt", "poweroff", "pm-suspend", "pm-hibernate"],
  does: "ruins",
  because: "ends the machine",
  examples: {
    allowed: ["rg shutdown src", "grep -n reboot README.md"],
    refused: ["shutdown -h now", "reboot", "halt -p", "poweroff", "shutdown --help"]
  }
}
