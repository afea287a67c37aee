/** A home, a core and a workspace that are gone with their scope. */

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"

/** Files by their path, under the core and under the workspace. */
export interface PlaceFiles {
  readonly core: Readonly<Record<string, string>>
  readonly workspace: Readonly<Record<string, string>>
}

export interface ThrowAwayPlace {
  readonly root: string
  readonly core: string
  readonly workspace: string
  /** Not made yet: the host makes it. */
  readonly home: string
}

/** Writes `files` into a fresh folder named after `purpose`; closing the scope removes it whole. */
export const throwAwayPlace = (purpose: string, files: PlaceFiles) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), `gatehouse-${purpose}-`)))),
      (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    ),
    (root): ThrowAwayPlace => {
      const [core, workspace, home] = [join(root, "core"), join(root, "workspace"), join(root, "home")]
      writeFiles(core, files.core)
      writeFiles(workspace, files.workspace)
      return { root, core, workspace, home }
    }
  )

/** Writes files by their path under `folder`; folders are made. */
export const writeFiles = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
