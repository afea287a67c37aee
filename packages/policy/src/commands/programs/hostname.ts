/** hostname(1): tells the name of the machine, or sets it. */
import { doing, flags, type Program } from "../Program.ts"

export const hostname: Program = {
  names: ["hostname"],
  does: "reads",
  options: [
    flags(
      "-a -A -d -f -i -I -s -y -V --alias --all-fqdns --domain --fqdn --long --ip-address --all-ip-addresses --short --yp --nis"
    ),
    doing("controls", "-F -b --file --boot", "next")
  ],
  operands: { rest: "controls" },
  examples: {
    allowed: ["hostname", "hostname -f"],
    refused: ["hostname x", "hostname -F name"]
  }
}
