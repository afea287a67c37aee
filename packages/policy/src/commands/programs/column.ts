/** column(1), util-linux. */
import { flags, type Program, values } from "../Program.ts"

export const column: Program = {
  names: ["column"],
  does: "reads",
  options: [
    flags("-t -x -e -d -L -J --table --fillrows --table-header-repeat --table-noheadings --keep-empty-lines --json"),
    values(
      "-s -o -c -N -R -T -W -H -O -n -l -E -C -i -p -r --separator --output-separator --output-width --table-columns --table-right --table-truncate --table-wrap --table-hide --table-order --table-name --table-columns-limit --table-noextreme --table-column --tree-id --tree-parent --tree"
    )
  ],
  operands: { rest: "path" },
  examples: {
    allowed: ["column -t -s, data.csv", "column -c 80 names.txt"],
    refused: ["column .env", "column -t /etc/passwd"]
  }
}
