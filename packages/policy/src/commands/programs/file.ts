/** file(1). `-C` writes a compiled magic file; `-z` starts decompressors. */
import { doing, flags, type Program, paths, values } from "../Program.ts"

export const file: Program = {
  names: ["file"],
  does: "reads",
  options: [
    flags(
      "-b -E -h -i -I -k -l -L -N -n -p -r -s -0 -d -v -c --apple --brief --checking-printout --dereference --no-dereference --extension --keep-going --list --mime --mime-type --mime-encoding --no-buffer --no-pad --preserve-date --print0 --raw --special-files --debug"
    ),
    values("-F -P -e --separator --parameter --exclude --exclude-quiet"),
    paths("-m --magic-file"),
    doing("asks", "-f --files-from", "next"),
    doing("changes", "-C --compile"),
    doing("runs", "-z -Z -S --uncompress --uncompress-noreport --no-sandbox")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["file -b a.bin", "file --mime-type a.png"],
    refused: ["file -C -m magic", "file -f list", "file .env", "file -z a.gz"]
  }
}
