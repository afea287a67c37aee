/**
 * A tool's folder at the deed: which file its entrypoint names, and whether everything in it is still what the core
 * was read with.
 */

import { createHash } from "node:crypto"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { AuthoredTool } from "@gatehouse/catalog/cores/AgentCore"
import { moduleEndings } from "@gatehouse/catalog/cores/BuildCore"

/** The module that `entrypoint` names; null where there is none. */
export const moduleFile = (tool: AuthoredTool): string | null => {
  const [name = ""] = tool.manifest.entrypoint.split(":")
  const candidates = [name, ...moduleEndings.map((ending) => name + ending)].map((file) => join(tool.folder, file))
  return candidates.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true) ?? null
}

/** The digest of the folder as the catalog makes it: of path, executability and content of every file. */
export const folderDigest = (tool: AuthoredTool): string | null => {
  const lines: Array<{ readonly path: string; readonly line: string }> = []
  const visit = (absolute: string, path: string): void => {
    for (const name of readdirSync(absolute)) {
      if (name === ".git") continue
      const inner = join(absolute, name)
      const innerPath = `${path}/${name}`
      const stats = statSync(inner)
      if (stats.isDirectory()) visit(inner, innerPath)
      else if (stats.isFile()) {
        const digest = createHash("sha256").update(readFileSync(inner)).digest("hex")
        lines.push({ path: innerPath, line: JSON.stringify([innerPath, (stats.mode & 0o111) !== 0, digest]) })
      }
    }
  }
  try {
    visit(tool.folder, tool.component)
  } catch {
    return null
  }
  const hash = createHash("sha256")
  for (const { line } of lines.sort((left, right) => (left.path < right.path ? -1 : 1))) hash.update(`${line}\n`)
  return hash.digest("hex")
}
