/** A {@link PathTree} that is written down, for `gatehouse check path` and for tests. */
import { type PathPlatform, placeText, writtenPath } from "./PathSyntax.ts"
import type { PathNode, PathTree } from "./PathTree.ts"

export type LiteralNode =
  | "file"
  | "dir"
  | { readonly link: string }
  | { readonly hardlink: string }
  | { readonly special: "fifo" | "socket" | "device" }

/**
 * A tree of the given absolute paths. Their parents are folders.
 *
 * @example
 * literalTree({ "/ws/link": { link: "/out" }, "/out/a": "file" }, "posix")
 */
export const literalTree = (nodes: Readonly<Record<string, LiteralNode>>, platform: PathPlatform): PathTree => {
  const key = (path: string): string => {
    const { components, root } = writtenPath(path, platform)
    const text = placeText({ root: root ?? "", parts: components }, platform)
    return platform === "windows" ? text.toUpperCase() : text
  }
  const written = new Map(Object.entries(nodes).map(([path, node]) => [key(path), { path, node }]))
  const folders = new Set<string>()
  for (const path of written.keys()) {
    const separator = platform === "windows" ? "\\" : "/"
    for (let end = path.lastIndexOf(separator); end > 0; end = path.lastIndexOf(separator, end - 1)) {
      folders.add(path.slice(0, end))
    }
  }

  /** The first name of the file that `path` is a name of: hard links are followed to it. */
  const firstName = (path: string): string => {
    let name = path
    for (let step = 0; step <= written.size; step++) {
      const node = written.get(key(name))?.node
      if (typeof node !== "object" || !("hardlink" in node)) break
      name = node.hardlink
    }
    return name
  }
  const names = new Map<string, Array<string>>()
  for (const { node, path } of written.values()) {
    if (node !== "file" && !(typeof node === "object" && "hardlink" in node)) continue
    const first = firstName(path)
    const known = names.get(key(first)) ?? [first]
    if (!known.some((name) => key(name) === key(path))) known.push(path)
    names.set(key(first), known)
  }

  const lookup = (path: string): PathNode | null => {
    const node = written.get(key(path))?.node
    if (node === undefined) return folders.has(key(path)) ? { type: "directory", identity: key(path) } : null
    if (node === "dir") return { type: "directory", identity: key(path) }
    if (typeof node === "object" && "link" in node) return { type: "link", target: node.link }
    if (typeof node === "object" && "special" in node) return { type: "special", identity: key(path) }
    const first = key(firstName(path))
    return { type: "file", links: names.get(first)?.length ?? 1, identity: first }
  }
  return { lookup, namesOf: (path) => names.get(key(firstName(path))) ?? null }
}
