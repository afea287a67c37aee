/** sudo(8) and its like: a command with another user's rights. Feeding it a password is never right. */
import { doing, flags, type Program, values } from "../Program.ts"

export const sudo: Program = {
  names: ["sudo", "doas", "pkexec", "run0", "gosu", "su-exec", "sudoedit", "visudo"],
  does: "controls",
  because: "asks for more rights than the host was given",
  options: [
    flags(
      "-A -b -B -E -e -H -i -K -k -l -N -n -P -s -v -V --askpass --background --bell --edit --login --remove-timestamp"
    ),
    flags("--reset-timestamp --list --no-update --non-interactive --preserve-groups --shell --validate --set-home -L"),
    values(
      "-a -C -c -D -g -h -p -R -r -T -t -U -u --auth-type --close-from --login-class --chdir --group --host --prompt"
    ),
    values("--chroot --role --command-timeout --type --other-user --user"),
    doing("controls", "--preserve-env", "glued"),
    doing("ruins", "-S --stdin")
  ],
  grammar: { stopsAtOperand: true },
  judge: (line, notes) => {
    // doas and pkexec have no -S of sudo's meaning, and nothing is lost by reading it so.
    const start = line.operands.findIndex(({ value }) => !/^[A-Za-z_]\w*=/.test(value))
    if (start >= 0) notes.starts(line.operands.slice(start))
  },
  examples: {
    allowed: ["echo sudo", "grep -n sudo README.md"],
    refused: [
      "sudo ls",
      "sudo -i",
      "doas ls",
      "sudo -k && sudo ls",
      "echo pw | sudo -S id",
      "cat pw | sudo -Su root id",
      "sudo --std true"
    ]
  }
}
