/** jq(1), version 1.7. A filter reads the environment through `env` and `$ENV`, and other files through modules. */
import { doing, flags, type Program, values } from "../Program.ts"

export const jq: Program = {
  names: ["jq"],
  does: "reads",
  grammar: { abbreviations: false },
  options: [
    flags(
      "-n -r -R -s -S -c -C -M -a -j -e -h --null-input --raw-output --raw-output0 --raw-input --slurp --sort-keys --compact-output --color-output --monochrome-output --ascii-output --unbuffered --join-output --exit-status --tab --stream --stream-errors --seq --args --jsonargs"
    ),
    values("--indent"),
    doing("text", "--arg --argjson", "two"),
    doing("path", "--slurpfile --rawfile --argfile", "two"),
    doing("asks", "-f --from-file", "next"),
    doing("asks", "-L --library-path", "next")
  ],
  operands: { first: ["text"], rest: "path", firstGivenBy: "-f --from-file" },
  judge: (line, notes) => {
    const [filter] = line.operands
    if (
      filter !== undefined &&
      /(?<![.\w"])env\b|\$ENV\b|\b(?:import|include|modulemeta|get_search_list)\b/.test(filter.value)
    ) {
      notes.find("asks", "jq reads more than the files that are named", filter)
    }
  },
  examples: {
    allowed: ["jq '.scripts' package.json", "jq -r '.[] | .name' a.json", "jq -n '1 + 1'"],
    refused: ["jq -n env", "jq '$ENV.HOME' a.json", "jq 'include \"x\"; .' a.json", "jq . .env", "jq -L lib . a.json"]
  }
}
