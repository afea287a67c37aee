/**
 * Where a path leads, links followed, and how delicate that place is. Cases in `test/vectors/sensitive-paths.json`.
 */
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { fileSystemTree } from "./FileSystemTree.boundary.ts"
import { judgePath } from "./PathJudgement.ts"
import type { PathPlatform } from "./PathSyntax.ts"
import type { PathVerdict } from "./PathVerdict.ts"

export interface WorkspacesOptions {
  /** Home directory of the person whose machine it is: what `~` stands for. */
  readonly home: string
  /** Folders of the host's own, which no tool may touch: its private folder, say. */
  readonly hostPlaces: ReadonlyArray<string>
  readonly platform: PathPlatform
}

export class Workspaces extends Context.Tag("@gatehouse/policy/Workspaces")<
  Workspaces,
  {
    /** Synchronous: reads links and types of files, opens nothing. `base` defaults to the workspace. */
    readonly judge: (path: string, workspace: string, base?: string) => PathVerdict
  }
>() {
  /** Judges by the file system of this machine. */
  static readonly layer = (options: WorkspacesOptions): Layer.Layer<Workspaces> =>
    Layer.succeed(Workspaces, {
      judge: (path, workspace, base) => judgePath({ ...options, path, workspace, base: base ?? null }, fileSystemTree)
    })
}
