/** `cd`: where the commands after it run. */
import type { Argument } from "./Argument.ts"
import { absolutePath } from "./CommandPlaces.ts"
import { notesFor } from "./PathNotes.ts"
import type { Outcome, Reviewer, Situation } from "./Reviewer.ts"
import { unknownFolder } from "./ShellState.ts"

export const moveTo = (
  reviewer: Reviewer,
  name: Argument,
  args: ReadonlyArray<Argument>,
  situation: Situation
): Outcome => {
  const { folders } = situation
  const operands = args.filter((word, index) => !isOption(word, index, args))
  const [folder] = operands
  const lost = { ok: [unknownFolder], failed: folders }
  if (folder === undefined || folder.value === "-" || operands.length > 1 || folder.value === "") {
    reviewer.find("asks", "goes to a folder that the text does not name", name.start, name.end)
    return lost
  }
  notesFor(reviewer, folders).reads(folder)
  reviewer.find("reads", "cd to a folder of the workspace", name.start, name.end)
  if (!folder.literal || !reviewer.mayMove()) return lost
  const moved = folders.map((from) => reviewer.places.resolve(absolutePath(folder.value, from)))
  return { ok: [...new Set(moved)], failed: folders }
}

const isOption = ({ value }: Argument, index: number, args: ReadonlyArray<Argument>): boolean =>
  (value === "--" || /^-[LPe@]+$/.test(value)) && !args.slice(0, index).some((before) => before.value === "--")

/** The folders that `-C`, `--chdir` and their like lead to. */
export const foldersFrom = (
  reviewer: Reviewer,
  folder: Argument,
  from: ReadonlyArray<string>
): ReadonlyArray<string> =>
  folder.literal && reviewer.mayMove()
    ? from.map((place) => reviewer.places.resolve(absolutePath(folder.value, place)))
    : [unknownFolder]
