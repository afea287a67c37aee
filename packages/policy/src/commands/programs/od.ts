/** od(1), GNU coreutils. */
import { flags, optional, type Program, values } from "../Program.ts"

export const od: Program = {
  names: ["od"],
  does: "reads",
  options: [
    flags("-a -b -c -d -f -i -l -o -s -x -v -B -D -e -F -h -H -I -L -O -X --output-duplicates"),
    values("-A -j -N -S -t --address-radix --endian --skip-bytes --read-bytes --format"),
    optional("-w --width --strings"),
    flags("--traditional")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["od -c -N 32 data.bin", "od -An -tx1 a.bin"],
    refused: ["od .env", "od /dev/mem"]
  }
}
