/** tail(1), GNU coreutils. */
import { flags, optional, type Program, values } from "../Program.ts"

export const tail: Program = {
  names: ["tail"],
  does: "reads",
  grammar: { digits: true },
  options: [
    flags("-f -F -q -v -z --retry --quiet --silent --verbose --zero-terminated"),
    values("-c -n -s --bytes --lines --max-unchanged-stats --pid --sleep-interval"),
    optional("--follow")
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["tail -n 100 build.log", "tail -20 build.log", "tail -c +5 a.bin"],
    refused: ["tail -f /var/log/syslog", "tail .env"]
  }
}
