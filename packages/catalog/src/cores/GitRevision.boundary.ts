/**
 * The commit that a folder stands at, read from Git's own files: no process is started for it. Null where there is no
 * repository, no commit yet, or a store of references that is not read here (reftable).
 */
import { readFileSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** References that point at references. */
const referenceDepthLimit = 5

/** The commit of `HEAD` for the repository around `folder`, in hexadecimal. */
export const gitRevision = (folder: string): string | null => {
  const gitFolder = repositoryAround(folder)
  if (gitFolder === null) return null
  // A linked work tree keeps its own HEAD and shares the references (gitrepository-layout(5)).
  const shared = read(join(gitFolder, "commondir"))
  const folders = shared === null ? [gitFolder] : [gitFolder, resolve(gitFolder, shared.trim())]
  return commitOf("HEAD", folders, 0)
}

const repositoryAround = (folder: string): string | null => {
  for (let here = folder; ; here = dirname(here)) {
    const path = join(here, ".git")
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true) return path
    const [, target] = stats?.isFile() === true ? (/^gitdir: (.+)$/m.exec(read(path) ?? "") ?? []) : []
    if (target !== undefined) return resolve(here, target)
    if (dirname(here) === here) return null
  }
}

const commitOf = (name: string, folders: ReadonlyArray<string>, depth: number): string | null => {
  for (const folder of folders) {
    const text = read(join(folder, name))?.trim()
    if (text === undefined) continue
    if (commit.test(text)) return text
    const [, next] = /^ref: (refs\/\S+)$/.exec(text) ?? []
    const plain = next !== undefined && !next.split("/").includes("..") && depth < referenceDepthLimit
    return plain ? commitOf(next, folders, depth + 1) : null
  }
  for (const folder of folders) {
    const packed = read(join(folder, "packed-refs"))?.split("\n") ?? []
    const line = packed.find((entry) => entry.endsWith(` ${name}`))
    const [found] = line?.split(" ") ?? []
    if (found !== undefined && commit.test(found)) return found
  }
  return null
}

/** SHA-1 or SHA-256. */
const commit = /^([0-9a-f]{40}|[0-9a-f]{64})$/

const read = (path: string): string | null => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return null
  }
}
