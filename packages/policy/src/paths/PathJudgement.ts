/** The judgement of one path: where it leads, and what may be done there. Pure: what exists comes as a {@link PathTree}. */
import { type PathPlatform, type Place, placeText, sameName, tooLong, writtenPath } from "./PathSyntax.ts"
import { emptyTree, type PathTree } from "./PathTree.ts"
import type { PathVerdict } from "./PathVerdict.ts"
import { type Walk, type Walked, walkPath } from "./PathWalk.ts"
import { credentialReason, decidesWhatRuns, kernelReason, repositoryReason, systemReason } from "./SensitivePlaces.ts"

export interface PathQuestion {
  /** As the model gave it. */
  readonly path: string
  readonly workspace: string
  readonly home: string
  /** Folder that relative paths start from; the workspace where it is null. */
  readonly base: string | null
  readonly platform: PathPlatform
  /** Folders of the host's own: not read or written through a tool, unless the workspace lies in one of them. */
  readonly hostPlaces: ReadonlyArray<string>
}

/**
 * Judges `question.path`.
 *
 * Links are followed, the last component included; a place that does not exist yet is judged as if it did. Refused is
 * what cannot be opened safely or at all, and every write outside the workspace. Asked about are reads outside, places
 * of credentials, and changes that decide what runs later. The strictest reason wins.
 */
export const judgePath = (question: PathQuestion, existing: PathTree): PathVerdict => {
  const { home, platform } = question
  const workspace = place(question.workspace, { home, platform, tree: existing })
  const written = writtenPath(question.path, platform)
  // Nothing is looked up under a spelling that is refused, nor on another machine.
  const tree = written.refused === null ? withoutOtherMachines(existing, workspace, platform) : emptyTree
  const walk: Walk = { home, platform, tree }
  const base = walkPath(workspace, writtenPath(question.base ?? ".", platform), walk)
  const target = walkPath(base.place, written, walk)
  const resolved = placeText(target.place, platform)
  const inside = contains(workspace, target.place, platform)
  const delicate = delicateReason(target.place, workspace, platform)
  const kernel = platform === "posix" ? kernelReason(target.place.parts) : null

  const malformed = firstOf(
    about(written.refused),
    base.refused === null ? null : `the folder that it starts from ${base.refused}`,
    about(target.refused),
    about(tooLong(resolved, platform))
  )
  const refused = firstOf(
    malformed,
    target.node?.type === "special" ? "is no ordinary file" : null,
    kernel,
    hostReason(target.place, workspace, question, walk)
  )
  const asked = firstOf(
    inside ? delicate : delicate === null ? "outside the workspace" : `outside the workspace, ${delicate}`,
    otherNames(target, workspace, walk),
    about(written.doubtful)
  )
  const changing = inside ? decidesWhatRuns(below(workspace, target.place)) : null
  return {
    resolved,
    insideWorkspace: inside,
    sensitive: delicate !== null,
    read: refused !== null ? "refuse" : asked !== null ? "prompt" : "auto",
    write: refused !== null || !inside ? "refuse" : asked !== null || changing !== null ? "prompt" : "allow",
    malformed: malformed !== null,
    rule: refused ?? asked ?? changing ?? "inside the workspace",
    exists: target.node !== null,
    type: typeOf(target),
    identity: target.node !== null && "identity" in target.node ? target.node.identity : null
  }
}

/** Whether `inner` is `outer` or lies below it, part by part. */
const contains = (outer: Place, inner: Place, platform: PathPlatform): boolean =>
  sameName(outer.root, inner.root, platform) &&
  outer.parts.every((part, index) => {
    const other = inner.parts[index]
    return other !== undefined && sameName(part, other, platform)
  })

const below = (outer: Place, inner: Place): ReadonlyArray<string> => inner.parts.slice(outer.parts.length)

/**
 * Why a place is delicate. That the workspace itself lies in version control, or among the machine's own places, was
 * its owner's choice, and says nothing about what is in it.
 */
const delicateReason = (judged: Place, workspace: Place, platform: PathPlatform): string | null => {
  const inside = contains(workspace, judged, platform)
  const system = platform === "posix" && !(inside && systemReason(workspace.parts) !== null)
  return (
    credentialReason(judged.parts) ??
    repositoryReason(inside ? below(workspace, judged) : judged.parts) ??
    (system ? systemReason(judged.parts) : null)
  )
}

const hostReason = (judged: Place, workspace: Place, question: PathQuestion, walk: Walk): string | null => {
  for (const hostPlace of question.hostPlaces) {
    const folder = place(hostPlace, walk)
    if (
      contains(folder, judged, walk.platform) &&
      !(contains(folder, workspace, walk.platform) && contains(workspace, judged, walk.platform))
    ) {
      return "belongs to the host itself"
    }
  }
  return null
}

/**
 * A file with several names is judged by each of them; where they cannot all be told, somebody is asked. Package
 * managers share the files of `node_modules` in this way, which is no reason to ask.
 */
const otherNames = ({ node, place: judged }: Walked, workspace: Place, walk: Walk): string | null => {
  if (node?.type !== "file" || node.links < 2) return null
  const names = walk.tree.namesOf(placeText(judged, walk.platform))
  if (names === null) {
    return judged.parts.includes("node_modules") && contains(workspace, judged, walk.platform)
      ? null
      : "has other names that cannot all be told"
  }
  for (const name of names) {
    const other = place(name, { ...walk, tree: emptyTree })
    if (!contains(workspace, other, walk.platform)) return "has another name outside the workspace"
    const delicate = delicateReason(other, workspace, walk.platform)
    if (delicate !== null) return `has another name that ${delicate}`
  }
  return null
}

const place = (path: string, walk: Walk): Place =>
  walkPath({ root: "", parts: [] }, writtenPath(path, walk.platform), walk).place

/** Looking a name up on a share sends packets and the user's credentials; only the workspace's own share is asked. */
const withoutOtherMachines = (tree: PathTree, workspace: Place, platform: PathPlatform): PathTree =>
  platform === "posix"
    ? tree
    : {
        lookup: (path) => (path.startsWith("\\\\") && !isBelow(path, workspace.root) ? null : tree.lookup(path)),
        namesOf: tree.namesOf
      }

const isBelow = (path: string, root: string): boolean =>
  root !== "" && path.toUpperCase().startsWith(`${root.toUpperCase()}\\`)

const typeOf = ({ node }: Walked): PathVerdict["type"] => {
  if (node === null) return "missing"
  return node.type === "file" || node.type === "directory" ? node.type : "special"
}

const about = (reason: string | null): string | null => (reason === null ? null : `the path ${reason}`)

const firstOf = (...reasons: ReadonlyArray<string | null>): string | null =>
  reasons.find((reason) => reason !== null) ?? null
