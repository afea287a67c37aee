/** mkfs(8) and its like: a new file system where another one was. */
import type { Program } from "../Program.ts"

export const mkfs: Program = {
  names: `mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.msdos mkfs.ntfs mkfs.exfat
    mkfs.f2fs mkfs.minix mkfs.cramfs mkfs.bfs mkfs.jfs mkfs.reiserfs mkfs.udf mkfs.erofs mkfs.nilfs2 mkfs.gfs2
    mkfs.ocfs2 mkfs.bcachefs mkfs.zfs mke2fs mkswap mkdosfs newfs wipefs blkdiscard diskutil`.split(/\s+/),
  does: "ruins",
  because: "makes a new file system over what was there",
  examples: {
    allowed: ["cat mkfs.md", "printf '%s\\n' 'mkfs.ext4 /dev/sda1'"],
    refused: ["mkfs.ext4 /dev/sda1", "mkfs -t xfs /dev/nvme0n1", "wipefs -a /dev/sda", "wipefs --help"]
  }
}
