/** A folder for the tour that is gone when the tour is. */

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import { importWitness, type TourFiles } from "./TourCore.ts"

export interface TourPlace {
  readonly core: string
  readonly workspace: string
  readonly home: string
  /** Whether the authored tool's module was imported. */
  readonly moduleImported: () => boolean
}

/** Writes `files` into a fresh folder; closing the scope removes it whole. */
export const tourPlace = (files: TourFiles) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-tour-")))),
      (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
    ),
    (root): TourPlace => {
      const [core, workspace, home] = [join(root, "core"), join(root, "workspace"), join(root, "home")]
      write(core, files.core)
      write(workspace, files.workspace)
      return { core, workspace, home, moduleImported: () => existsSync(join(core, "agent/tools/greet", importWitness)) }
    }
  )

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}
