/** The checksum programs of GNU coreutils. `--check` reads whatever files a list names. */
import { doing, flags, type Program, values } from "../Program.ts"

export const checksum: Program = {
  names: ["md5sum", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum", "cksum", "sum"],
  does: "reads",
  options: [
    flags(
      "-b -t -z -w -r -s --binary --tag --untagged --text --zero --ignore-missing --quiet --status --strict --warn --raw --base64 --debug --sysv"
    ),
    values("-l -a --length --algorithm"),
    doing("asks", "-c --check")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["sha256sum dist/a.js", "md5sum a.txt b.txt", "cksum a.txt"],
    refused: ["sha256sum -c SHA256SUMS", "md5sum .env", "b2sum /etc/passwd"]
  }
}
