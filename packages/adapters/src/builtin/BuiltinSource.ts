/** The effects that Gatehouse itself brings along. */
import type { EffectSource, SourceEntry } from "@gatehouse/core/EffectSource"
import { Workspaces } from "@gatehouse/policy/paths/Workspaces"
import { Processes } from "@gatehouse/process/Processes"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { listFilesEntry } from "./files/ListFiles.ts"
import { patchEntry } from "./files/Patch.ts"
import { readFileEntry } from "./files/ReadFile.ts"
import { writeFileEntry } from "./files/WriteFile.ts"
import { searchFilesEntry } from "./search/SearchFiles.ts"
import { type CatalogLookup, toolsListEntry } from "./tools/ToolsList.ts"

export interface BuiltinOptions {
  /** The entries of a turn's catalog, for `tools_list`. */
  readonly catalogOf: CatalogLookup
  /** Entries with services of their own: `terminal`, `web_extract`, tools of the host. */
  readonly more: ReadonlyArray<SourceEntry>
}

export class BuiltinSource extends Context.Tag("@gatehouse/adapters/BuiltinSource")<BuiltinSource, EffectSource>() {
  /** The same entries in every turn: what differs is their plans, and which toolsets a core selects. */
  static readonly layer = (options: BuiltinOptions): Layer.Layer<BuiltinSource, never, Workspaces | Processes> =>
    Layer.effect(
      BuiltinSource,
      Effect.gen(function* () {
        const workspaces = yield* Workspaces
        const processes = yield* Processes
        const entries = [
          readFileEntry(workspaces),
          writeFileEntry(workspaces),
          patchEntry(workspaces),
          listFilesEntry(workspaces),
          searchFilesEntry(workspaces, processes),
          toolsListEntry(options.catalogOf),
          ...options.more
        ]
        const answer = Effect.succeed({ entries, diagnostics: [] })
        return { kind: "builtin", entries: () => answer }
      })
    )
}
