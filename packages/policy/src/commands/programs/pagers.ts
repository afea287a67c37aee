/** Pagers: they start other programs at a key press, and `LESSOPEN` or `-P` before that. */
import type { Program } from "../Program.ts"

export const pagers: Program = {
  names: ["less", "more", "most", "man", "info", "bat", "batcat", "view", "pg"],
  does: "asks",
  because: "is a pager, which can start programs",
  examples: {
    allowed: ["grep -n 'less' notes.txt", "echo less"],
    refused: ["less a.txt", "less +!id a.txt", "man -P cat ls"]
  }
}
