/** Writes down what reading or writing a path means, seen from each folder that a command may run in. */
import { type Argument, homeMark, unknownText } from "./Argument.ts"
import { absolutePath, oddPlace } from "./CommandPlaces.ts"
import type { Reviewer } from "./Reviewer.ts"
import { isRawDevice, isRuinousPlace } from "./RuinousPlaces.ts"
import type { Folders } from "./ShellState.ts"

export interface PathNotes {
  readonly reads: (path: Argument) => void
  readonly writes: (path: Argument) => void
  readonly selects: (pattern: Argument) => void
  readonly isRuinous: (path: Argument) => boolean
}

export const notesFor = (reviewer: Reviewer, folders: Folders): PathNotes => {
  const odd = (path: string): string | null => {
    for (const folder of folders) {
      const reason = oddPlace(path, folder, reviewer.places)
      if (reason !== null) return reason
    }
    return null
  }
  return {
    reads: (path) => {
      const reason = odd(path.value) ?? (path.value.includes("\\") ? odd(path.value.replaceAll("\\", "/")) : null)
      if (reason !== null) reviewer.findDelicateRead(reason, path.start, path.end)
    },
    writes: (path) => {
      if (folders.some((folder) => isRawDevice(absolutePath(path.value, folder)))) {
        return reviewer.find("ruins", "writes to a raw device", path.start, path.end)
      }
      const reason =
        odd(path.value) ??
        folders
          .map((folder) => reviewer.places.decidesWhatRuns(absolutePath(path.value, folder)))
          .find((words) => words !== null)
      if (reason !== undefined && reason !== null)
        reviewer.find("controls", `changes what ${reason}`, path.start, path.end)
    },
    selects: (pattern) => {
      if (pattern.value.startsWith("!")) return
      const names = [pattern.value.replace(/[*?]/g, ""), pattern.value.replace(/[*?]/g, "x")]
      const reason = names.map(odd).find((words) => words !== null)
      if (reason !== undefined && reason !== null) {
        reviewer.findDelicateRead(`selects what ${reason}`, pattern.start, pattern.end)
      }
    },
    isRuinous: (path) =>
      (path.value.startsWith("/") || path.value.startsWith(homeMark) || !path.value.includes(unknownText)) &&
      folders.some((folder) => isRuinousPlace(absolutePath(path.value, folder)))
  }
}
