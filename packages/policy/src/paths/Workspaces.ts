/**
 * Where a path leads, links followed, and how delicate that place is. Cases in `test/vectors/sensitive-paths.json`.
 */
import * as Context from "effect/Context"

export type ReadVerdict = "auto" | "prompt" | "refuse"
export type WriteVerdict = "allow" | "prompt" | "refuse"

export interface PathVerdict {
  /** Absolute, every link followed, the last component included; the place that is read or written. */
  readonly resolved: string
  readonly insideWorkspace: boolean
  readonly sensitive: boolean
  readonly read: ReadVerdict
  readonly write: WriteVerdict
  /** What the verdict rests on, in words: `outside the workspace`, `holds credentials (.ssh)`. */
  readonly rule: string
  readonly exists: boolean
  readonly type: "file" | "directory" | "special" | "missing"
}

export class Workspaces extends Context.Tag("@gatehouse/policy/Workspaces")<
  Workspaces,
  {
    /** Synchronous: reads links and types of files, opens nothing. `base` defaults to the workspace. */
    readonly judge: (path: string, workspace: string, base?: string) => PathVerdict
  }
>() {}
