/** awk(1). A program that only prints is a read; files of programs and everything that starts or writes asks. */
import { awkDoubt } from "../languages/AwkProgram.ts"
import { doing, flags, type Program, values } from "../Program.ts"

export const awk: Program = {
  names: ["awk", "gawk", "mawk", "nawk", "original-awk"],
  does: "reads",
  options: [
    flags("-S -b -c -P -r -s -t --sandbox --characters-as-bytes --traditional --posix --re-interval --csv -k"),
    values("-F -v --field-separator --assign"),
    doing("runs", "-f -E -i -l -e -W --file --exec --include --load --source", "next"),
    doing("asks", "-d -D -o -p --dump-variables --debug --pretty-print --profile", "glued")
  ],
  grammar: { stopsAtOperand: true },
  operands: { first: ["text"], rest: "path" },
  judge: (line, notes) => {
    const [program] = line.operands
    const doubt = program === undefined ? null : awkDoubt(program.value)
    if (program !== undefined && doubt !== null) notes.find("runs", `awk: the program ${doubt}`, program)
  },
  examples: {
    allowed: ["awk '{print $1}' data.txt", "awk -F, 'NR > 1 { print $2 }' a.csv", "awk 'END { print NR }' a.txt"],
    refused: [
      "awk -f prog.awk a.txt",
      "awk '{print | \"sh\"}' a.txt",
      "awk '{print > \"out.txt\"}' a.txt",
      "awk 'BEGIN { system(\"id\") }'",
      "awk '{ while ((getline l < \"/etc/passwd\") > 0) n++ }' a",
      "awk '{print}' .env"
    ]
  }
}
