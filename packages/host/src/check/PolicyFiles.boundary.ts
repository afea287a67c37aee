/** The expectation files of a core: `agent/policy/*.yaml`, read and nothing else. */

import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"

/** Folder of a core that holds them. */
export const policyFolder = "agent/policy"

/** Bytes of one file at most; what its text may hold is bounded again where it is read. */
const fileLimitBytes = 1024 * 1024

export interface PolicyFile {
  /** In the core, with slashes. */
  readonly path: string
  readonly text: string
}

/** The files of the core at `root` by name, none where there is no folder; or why one cannot be read. */
export const readPolicyFiles = (root: string): Either.Either<ReadonlyArray<PolicyFile>, string> => {
  let path = policyFolder
  try {
    const folder = join(root, policyFolder)
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return Either.right([])
    const files: Array<PolicyFile> = []
    for (const name of readdirSync(folder).sort()) {
      path = `${policyFolder}/${name}`
      // A file of tests that is passed over in silence would be taken for one that passes.
      if (/\.(yml|json)$/i.test(name)) return Either.left(`${path}: is not read; rename it so that it ends in .yaml`)
      if (!name.endsWith(".yaml")) continue
      if (statSync(join(folder, name)).size > fileLimitBytes)
        return Either.left(`${path}: is larger than 1 MiB; split it`)
      files.push({ path, text: readFileSync(join(folder, name), "utf8") })
    }
    return Either.right(files)
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown fault"
    return Either.left(`${path}: cannot be read (${code})`)
  }
}
