/** Archivers: what they unpack is decided by the archive, and some options start programs. */
import type { Program } from "../Program.ts"

export const archives: Program = {
  names: `tar bsdtar gtar zip unzip 7z 7za 7zz cpio pax ar gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4 compress
    uncompress rar unrar jar`.split(/\s+/),
  does: "changes",
  because: "writes what an archive holds, or an archive",
  judge: (line, notes) => {
    for (const word of line.args) {
      if (
        /^--?(?:to-command|checkpoint-action|use-compress|info-script|new-volume-script|rsh-command|rmt-command)|^-I|[=,]exec=/.test(
          word.value
        )
      ) {
        notes.find("runs", `${line.name.value} ${word.value} starts a program`, word)
      } else if (!word.value.startsWith("-")) notes.reads(word)
    }
  },
  examples: {
    allowed: ["grep -n 'tar' notes.txt", "echo tar"],
    refused: [
      "tar -xf a.tar",
      "tar -C / -xf a.tar",
      "tar --to-command=sh -xf a.tar",
      "tar --checkpoint=1 --checkpoint-action=exec=sh -cf a.tar b",
      "gzip -dc x.gz",
      "unzip a.zip"
    ]
  }
}
