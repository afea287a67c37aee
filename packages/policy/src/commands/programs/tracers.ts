/** Programs whose work is to start, watch or enclose another one. */
import type { Program } from "../Program.ts"

export const tracers: Program = {
  names: `strace ltrace unbuffer valgrind perf gdb lldb rr catchsegv script rlwrap expect faketime eatmydata
    proxychains proxychains4 torsocks torify xvfb-run dbus-run-session systemd-run systemd-inhibit caffeinate
    firejail bwrap fakeroot proot unshare nsenter setarch linux32 linux64 setpriv capsh chpst envdir dumb-init
    tini entr reptyr daemonize start-stop-daemon cgexec runcon hyperfine`.split(/\s+/),
  does: "runs",
  because: "starts another command",
  grammar: { stopsAtOperand: true },
  judge: (line, notes) => {
    // Their options differ too much to be listed: every word that may begin the command is tried.
    const starts = line.args.flatMap((word, index) => (word.value.startsWith("-") ? [] : [index])).slice(0, 4)
    const running = line.args.find(({ value }) => /^(?:-p\d*|--pid(?:=.*)?|attach)$/.test(value))
    if (running !== undefined) notes.find("controls", `${line.name.value} enters a process that runs`, running)
    for (const start of starts) notes.starts(line.args.slice(start))
    for (const word of line.args) if (/\s/.test(word.value)) notes.runsScript(word)
  },
  examples: {
    allowed: ["grep -n 'strace' notes.txt", "echo strace"],
    refused: ["strace -f ls", "unshare -r ls", "proot ls", "unbuffer ls"]
  }
}
