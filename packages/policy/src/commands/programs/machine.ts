/** Programs that change the machine: mounts, modules, network, users, services, clock. */
import type { Program } from "../Program.ts"

export const machine: Program = {
  names: `mount umount modprobe insmod rmmod sysctl iptables ip6tables nft ufw firewall-cmd tc ip ifconfig route
    crontab service rc-service update-rc.d chkconfig launchctl timedatectl hostnamectl localectl hwclock useradd
    userdel usermod groupadd groupdel passwd chpasswd chsh chfn adduser deluser addgroup gpasswd vipw
    update-alternatives ldconfig grub-install update-grub efibootmgr setenforce auditctl dmesg journalctl
    logrotate quotaon chroot pivot_root kexec dpkg-reconfigure systemd-tmpfiles defaults nvram csrutil spctl
    networksetup scutil`.split(/\s+/),
  does: "controls",
  because: "changes the machine",
  judge: (line, notes) => {
    if (line.name.value === "chroot")
      notes.starts(line.args.slice(line.args.findIndex(({ value }) => !value.startsWith("-")) + 1))
    if (line.name.value === "service" && /^(?:poweroff|reboot|halt)$/.test(line.args[0]?.value ?? ""))
      notes.find("ruins", "ends the machine", line.name)
    if (line.name.value === "kexec" && line.args.some(({ value }) => /^(?:-e|--exec)$/.test(value)))
      notes.find("ruins", "starts another kernel at once", line.name)
  },
  examples: {
    allowed: ["grep -n 'mount' notes.txt", "echo mount"],
    refused: ["mount /dev/sda1 mnt", "crontab jobs.txt", "iptables -F", "service ssh stop", "chroot /mnt ls"]
  }
}
