/** Programs that change disks and their partitions. */
import type { Program } from "../Program.ts"

export const partitions: Program = {
  names: `fdisk sfdisk cfdisk gdisk sgdisk cgdisk parted partprobe cryptsetup lvremove vgremove pvremove mdadm hdparm
    nvme badblocks debugfs tune2fs e2fsck fsck zpool dmsetup losetup swapoff swapon`.split(/\s+/),
  does: "controls",
  because: "changes disks",
  judge: (line, notes) => {
    for (const operand of line.args) {
      if (!notes.isRuinous(operand)) continue
      if (!line.args.some(({ value }) => /^(?:-l|--list|print|status|--detail|-I|info|list)$/.test(value))) {
        notes.find("ruins", `${line.name.value} changes a disk`, operand)
      }
    }
  },
  examples: {
    allowed: ["grep -n 'fdisk' notes.txt", "echo fdisk"],
    refused: ["fdisk /dev/sda", "sgdisk -Z /dev/sda", "cryptsetup luksFormat x"]
  }
}
