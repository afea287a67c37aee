/** What the machine and other processes do: their arguments may be confidential. */
import type { Program } from "../Program.ts"

export const processList: Program = {
  names: `ps top htop pgrep pidof pstree lsof ss netstat vmstat iostat w who last lastlog finger users lsblk lscpu
    lsusb lspci blkid ipcs`.split(/\s+/),
  does: "asks",
  because: "shows what others run",
  examples: {
    allowed: ["grep -n 'ps' notes.txt", "echo ps"],
    refused: ["ps aux", "lsof -i", "top"]
  }
}
