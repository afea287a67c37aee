/** The diff library, loaded when the first change is shown: it takes a tenth of the start-up of a command. */
import { createRequire } from "node:module"

type DiffLibrary = typeof import("diff")

let library: DiffLibrary | null = null

export const diffLibrary = (): DiffLibrary =>
  // What `require` gives is untyped; the package's own types say what it is.
  (library ??= createRequire(import.meta.url)("diff") as DiffLibrary)
