/** hexdump(1), util-linux. */
import { flags, optional, type Program, paths, values } from "../Program.ts"

export const hexdump: Program = {
  names: ["hexdump", "hd"],
  does: "reads",
  options: [
    flags(
      "-b -c -C -d -o -x -X -v --one-byte-octal --one-byte-hex --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --no-squeezing"
    ),
    values("-e -n -s --format --length --skip"),
    paths("-f --format-file"),
    optional("-L --color")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["hexdump -C data.bin", "hexdump -n 16 a.bin"],
    refused: ["hexdump .env", "hexdump -f/etc/passwd a"]
  }
}
