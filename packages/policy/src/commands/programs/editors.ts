/** Editors: they change files, start commands and wait for somebody to type. */
import type { Program } from "../Program.ts"

export const editors: Program = {
  names: ["vi", "vim", "nvim", "ex", "ed", "emacs", "nano", "pico", "micro", "joe", "code", "subl", "kak", "hx"],
  does: "asks",
  because: "starts an editor",
  examples: {
    allowed: ["grep -n 'vim' notes.txt", "echo vim"],
    refused: ["vim a.txt", "ed a.txt", "vim -c '!id'"]
  }
}
