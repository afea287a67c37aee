/** `cd` and its like: where the commands after it run. */
import { type Argument, homeMark, unknownText } from "./Argument.ts"
import { absolutePath } from "./CommandPlaces.ts"
import { notesFor } from "./PathNotes.ts"
import type { Outcome, Reviewer, Situation } from "./Reviewer.ts"
import { type Folders, foldersLimit, unknownFolder } from "./ShellState.ts"

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
  if (operands.length === 0 && name.value === "cd") {
    reviewer.find("asks", "goes to the home folder", name.start, name.end)
    return { ok: [homeMark, unknownFolder], failed: folders }
  }
  if (folder === undefined || folder.value === "-" || operands.length > 1 || folder.value === "") {
    reviewer.find("asks", "goes to a folder that the text does not name", name.start, name.end)
    return lost
  }
  notesFor(reviewer, folders).reads(folder)
  reviewer.find("reads", `${name.value} to a folder of the workspace`, name.start, name.end)
  if (folder.value.includes(unknownText) || !reviewer.mayMove()) return lost
  const moved = new Set(folders.map((from) => landing(reviewer, folder, from)))
  // A guess is good for suspicion: where it is wrong, nobody knows the folder.
  return { ok: folder.literal ? [...moved] : [...moved, unknownFolder], failed: folders }
}

const landing = (reviewer: Reviewer, folder: Argument, from: string): string => {
  const place = absolutePath(folder.value, from)
  return place.startsWith(homeMark) ? place : reviewer.places.resolve(place)
}

const isOption = ({ value }: Argument, index: number, args: ReadonlyArray<Argument>): boolean =>
  (value === "--" || /^-[LPe@]+$/.test(value)) && !args.slice(0, index).some((before) => before.value === "--")

/** The folders that `-C`, `--chdir` and their like lead to. */
export const foldersFrom = (
  reviewer: Reviewer,
  folder: Argument,
  from: ReadonlyArray<string>
): ReadonlyArray<string> =>
  folder.literal && reviewer.mayMove() ? from.map((place) => landing(reviewer, folder, place)) : [unknownFolder]

/** The folders of both ways that a command may have gone. */
export const either = (left: Folders, right: Folders): Folders => {
  if (left === right) return left
  const all = [...new Set([...left, ...right])]
  return all.length <= foldersLimit ? all : [...all.slice(0, foldersLimit), unknownFolder]
}
