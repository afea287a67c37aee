/** Package managers of the machine. */
import type { Program } from "../Program.ts"

export const systemPackages: Program = {
  names: `apt apt-get aptitude dpkg apk yum dnf rpm zypper pacman brew port snap flatpak nix nix-env nix-shell emerge
    xbps-install choco scoop winget`.split(/\s+/),
  does: "controls",
  because: "changes the programs of the machine",
  examples: {
    allowed: ["grep -n 'apt' notes.txt", "echo apt"],
    refused: ["apt-get install -y x", "apk add x", "brew install x"]
  }
}
