/** node(1), bun, deno: code in a file or in an argument. */
import type { Program } from "../Program.ts"

export const node: Program = {
  names: ["node", "nodejs", "bun", "deno", "tsx", "ts-node"],
  does: "runs",
  because: "runs code",
  harmless: ["--version", "-v"],
  examples: {
    allowed: ["node --version", "node -v"],
    refused: ["node -e 'process.exit()'", "node -p 1+1", "node server.js", "bun -e 1", "deno run a.ts"]
  }
}
