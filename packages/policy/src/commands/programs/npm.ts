/** npm(1), pnpm, yarn: packages from the network, and the scripts of the project. */
import type { Program } from "../Program.ts"

export const npm: Program = {
  names: ["npm", "pnpm", "yarn", "npx", "pnpx", "bunx", "corepack", "nvm", "fnm", "volta"],
  does: "controls",
  because: "installs packages or runs scripts of the project",
  harmless: ["--version", "-v"],
  examples: {
    allowed: ["npm --version", "echo npm"],
    refused: [
      "npm test",
      "npm run build",
      "npm install",
      "npm exec cowsay",
      "npm run shutdown",
      "pnpm add x",
      "yarn dlx x"
    ]
  }
}
