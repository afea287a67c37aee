/** What a search found so far: counted, judged one by one, and bounded. */

import { join } from "node:path"
import type { PathVerdict } from "@gatehouse/policy/paths/PathVerdict"
import { type PathJudge, shownPath } from "../files/FilePlan.ts"
import { globMatcher } from "./Glob.ts"
import { makeRecordReader, matchOf, nameOf } from "./RipgrepOutput.ts"
import { bytesOfCharacters } from "./SearchedPart.boundary.ts"

/** Results of one answer at most. */
export const resultLimit = 200
/** Characters from the beginning of a file in which matches count. */
export const searchedCharacters = 200_000

export interface Finding {
  readonly path: string
  /** Null for a search of names. */
  readonly line: number | null
  readonly text: string | null
}

export interface Findings {
  /** Takes what the program wrote; true once there are as many results as were wanted, and one more was seen. */
  readonly push: (bytes: Uint8Array) => boolean
  readonly results: () => ReadonlyArray<Finding>
  readonly full: () => boolean
  /** Matches that lay too far into their file. */
  readonly beyond: () => number
  /** Lines that were too long. */
  readonly passedOver: () => number
}

export interface Search {
  readonly in: "content" | "names"
  readonly query: string
  readonly glob: string | null
  readonly limit: number
  readonly workspaces: PathJudge
  readonly workspace: string
  /** Where ripgrep runs. */
  readonly folder: string
  /** What was judged and, where that was asked for, approved. */
  readonly root: PathVerdict
}

export const makeFindings = (search: Search): Findings => {
  const results: Array<Finding> = []
  let full = false
  let beyond = 0
  const wantedGlob = search.glob === null ? null : globMatcher(search.glob)
  const wantedName = nameMatcher(search.query)
  const shown = new Map<string, string | null>()
  const ends = new Map<string, number>()

  /** How the file is shown; null where it is not to be seen. */
  const visible = (path: string): string | null => {
    const known = shown.get(path)
    if (known !== undefined) return known
    const place = join(search.folder, path)
    const allowed = (wantedGlob === null || wantedGlob(path)) && mayBeSeen(search, place)
    const name = allowed ? shownPath(place, search.workspace) : null
    shown.set(path, name)
    return name
  }
  const isSearched = (path: string, offset: number): boolean => {
    // A character is one byte or more.
    if (offset < searchedCharacters) return true
    const end = ends.get(path) ?? bytesOfCharacters(join(search.folder, path), searchedCharacters)
    ends.set(path, end)
    return offset < end
  }
  const add = (finding: Finding): void => {
    if (results.length === search.limit) full = true
    else results.push(finding)
  }

  const reader = makeRecordReader(search.in === "names" ? 0 : 0x0a, (record) => {
    if (full) return
    if (search.in === "names") {
      const path = nameOf(record)
      const name = wantedName(path) ? visible(path) : null
      if (name !== null) add({ path: name, line: null, text: null })
      return
    }
    const match = matchOf(record)
    const name = match === null ? null : visible(match.path)
    if (match === null || name === null) return
    if (isSearched(match.path, match.offset)) add({ path: name, line: match.line, text: match.text })
    else beyond += 1
  })
  return {
    push: (bytes) => {
      if (!full) reader.push(bytes)
      return full
    },
    results: () => results,
    full: () => full,
    beyond: () => beyond,
    passedOver: reader.passedOver
  }
}

/** What was found below is judged like what is asked for by name; a yes to a place covers what is no graver than it. */
const mayBeSeen = ({ root, workspace, workspaces }: Search, place: string): boolean => {
  const verdict = workspaces.judge(place, workspace)
  if (verdict.resolved !== place || verdict.read === "refuse") return false
  return verdict.read === "auto" || (root.read === "prompt" && (root.sensitive || !verdict.sensitive))
}

const nameMatcher = (query: string): ((path: string) => boolean) => {
  if (/[*?{]/.test(query)) return globMatcher(query)
  const folded = query.toLowerCase()
  return (path) => path.toLowerCase().includes(folded)
}
