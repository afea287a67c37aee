/** What a change does, line by line: for an approver before, for the operator after. */
import { diffLibrary } from "./DiffLibrary.boundary.ts"

export interface UnifiedDiff {
  /** Lines of a unified diff without the file header. */
  readonly lines: ReadonlyArray<string>
  readonly added: number
  readonly removed: number
}

/** Edits up to which the shortest diff is looked for; beyond, old and new are shown as a whole. */
const editLimit = 1000
const contextLines = 3

/** The diff of two texts. Large equal parts cost little, and large unequal ones are not compared line by line. */
export const unifiedDiff = (before: string, after: string): UnifiedDiff => {
  const found = diffLibrary().structuredPatch("a", "b", before, after, undefined, undefined, {
    context: contextLines,
    maxEditLength: editLimit
  })
  const lines =
    found === undefined
      ? [...linesOf(before).map((line) => `-${line}`), ...linesOf(after).map((line) => `+${line}`)]
      : found.hunks.flatMap((hunk) => [
          `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`,
          ...hunk.lines
        ])
  return {
    lines,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length
  }
}

const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

/** `+3 -1 lines`. */
export const diffSize = ({ added, removed }: UnifiedDiff): string => `+${added} -${removed} lines`
