/** base64(1), GNU coreutils. */
import { flags, type Program, values } from "../Program.ts"

export const base64: Program = {
  names: ["base64", "base32", "basenc"],
  does: "reads",
  options: [
    flags(
      "-d -D -i --decode --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --z85"
    ),
    values("-w --wrap")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["base64 a.bin", "base64 -d a.b64"],
    refused: ["base64 .env", "base64 /etc/shadow"]
  }
}
