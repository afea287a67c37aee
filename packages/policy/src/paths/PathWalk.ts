/** Follows a path component by component, as the kernel does, over a {@link PathTree}. */
import { type PathPlatform, type Place, placeText, type WrittenPath, writtenPath } from "./PathSyntax.ts"
import type { PathNode, PathTree } from "./PathTree.ts"

/** Where a path led. */
export interface Walked {
  readonly place: Place
  /** What stands there, never a link that could be followed; null where nothing does. */
  readonly node: PathNode | null
  /** Why it leads nowhere: a loop of links, a place that cannot be looked at. */
  readonly refused: string | null
}

export interface Walk {
  readonly platform: PathPlatform
  readonly home: string
  readonly tree: PathTree
}

/** Links that one path may lead through: MAXSYMLINKS of Linux. */
const linkLimit = 40

/** A folder that the walk came back to and has not looked at again. */
const passed: PathNode = { type: "directory", identity: "" }

/**
 * Follows `path` from the folder `from`. Folders that are missing count as ordinary ones, so that a place that does
 * not exist yet is judged as if it did. `..` is taken after links, as POSIX has it; on Windows before, as Windows has.
 */
export const walkPath = (from: Place, path: WrittenPath, { home, platform, tree }: Walk): Walked => {
  const start = (written: WrittenPath, otherwise: Place): { place: Place; ahead: ReadonlyArray<string> } => {
    const ahead = platform === "windows" ? foldDots(written.components) : written.components
    if (written.fromHome)
      return { place: walkPath(rootPlace, writtenPath(home, platform), { home: "/", platform, tree }).place, ahead }
    return {
      place: written.root === null ? otherwise : { root: driveOf(written.root, otherwise, platform), parts: [] },
      ahead
    }
  }

  const first = start(path, from)
  let root = first.place.root
  let parts = [...first.place.parts]
  const ahead = [...first.ahead].reverse()
  let links = 0
  let node: PathNode | null = passed
  // Below a missing folder nothing is looked up.
  let missingFrom = Number.POSITIVE_INFINITY

  for (let component = ahead.pop(); component !== undefined; component = ahead.pop()) {
    if (component === ".") continue
    if (component === "..") {
      parts.pop()
      if (parts.length < missingFrom) missingFrom = Number.POSITIVE_INFINITY
      node = parts.length < missingFrom ? passed : null
      continue
    }
    parts.push(component)
    if (parts.length > missingFrom) {
      node = null
      continue
    }
    const here: Place = { root, parts }
    node = tree.lookup(placeText(here, platform))
    if (node === null) missingFrom = parts.length
    else if (node.type === "unreadable") return { place: complete(here, ahead), node, refused: "cannot be looked at" }
    else if (node.type === "link") {
      links += 1
      if (links > linkLimit) return { place: complete(here, ahead), node, refused: "is a loop of links" }
      const target = writtenPath(node.target, platform)
      if (target.refused !== null)
        return { place: complete(here, ahead), node, refused: "is a link that leads nowhere" }
      parts.pop()
      // A link's text is not expanded: a tilde in it is a name.
      const next = start(
        { ...target, fromHome: false, components: target.fromHome ? ["~", ...target.components] : target.components },
        here
      )
      root = next.place.root
      parts = [...next.place.parts]
      ahead.push(...[...next.ahead].reverse())
      node = passed
    }
  }
  const place: Place = { root, parts }
  const found = node === passed ? tree.lookup(placeText(place, platform)) : node
  const seen = found === null && parts.length === 0 ? passed : found
  return { place, node: seen, refused: seen?.type === "unreadable" ? "cannot be looked at" : null }
}

const rootPlace: Place = { root: "", parts: [] }

/** On Windows `\name` is on the drive of the folder that it is read from. */
const driveOf = (root: string, from: Place, platform: PathPlatform): string =>
  platform === "windows" && root === "" ? from.root : root

/** The place with what was still ahead, by its text: for a verdict on a path that leads nowhere. */
const complete = (place: Place, ahead: ReadonlyArray<string>): Place => ({
  root: place.root,
  parts: foldDots([...place.parts, ...[...ahead].reverse()]).filter((part) => part !== "..")
})

const foldDots = (components: ReadonlyArray<string>): ReadonlyArray<string> => {
  const folded: Array<string> = []
  for (const component of components) {
    if (component === ".") continue
    if (component === ".." && folded.length > 0 && folded.at(-1) !== "..") folded.pop()
    else folded.push(component)
  }
  return folded
}
