/** Programs that hold or make keys. */
import type { Program } from "../Program.ts"

export const keys: Program = {
  names: `gpg gpg2 ssh-keygen ssh-add ssh-agent age sops pass secret-tool security keyctl certbot mkcert op bw`.split(
    /\s+/
  ),
  does: "controls",
  because: "holds or makes keys",
  examples: {
    allowed: ["grep -n 'gpg' notes.txt", "echo gpg"],
    refused: ["gpg -d a.gpg", "ssh-keygen -t ed25519", "pass show x"]
  }
}
