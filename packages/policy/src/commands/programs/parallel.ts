/** parallel(1), GNU parallel: a command for each word after `:::`, or for each line of its input. */
import type { Argument } from "../Argument.ts"
import type { Program } from "../Program.ts"

export const parallel: Program = {
  names: ["parallel", "sem"],
  does: "runs",
  because: "starts a command for each of its words",
  judge: (line, notes) => {
    const cut = line.args.findIndex(({ value }) => /^:{3,4}\+?$/.test(value))
    const before = cut < 0 ? line.args : line.args.slice(0, cut)
    const after = cut < 0 ? [] : line.args.slice(cut + 1).filter(({ value }) => !/^:{3,4}\+?$/.test(value))
    const start = before.findIndex(({ value }) => !value.startsWith("-"))
    const [first] = before.slice(start < 0 ? before.length : start)
    if (first === undefined) return
    const command = before.slice(start).map(({ value }) => value)
    const words = [...after, ...inputWords(notes.standardInput)].map(({ value }) => value)
    notes.runsScript({ ...first, value: [...command, ...words].join(" ").replaceAll("{}", words.join(" ")) })
  },
  examples: {
    allowed: ["grep -n parallel notes.txt", "echo parallel"],
    refused: ["parallel rm ::: a b", "parallel rm -rf ::: /", "parallel -j 4 ls ::: a"]
  }
}

const inputWords = (input: Argument | null): ReadonlyArray<Argument> =>
  input === null ? [] : input.value.split(/\s+/).map((value) => ({ ...input, value }))
