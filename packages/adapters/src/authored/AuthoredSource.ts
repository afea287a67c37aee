/** The tools that authors wrote into their core. */

import { AgentCores } from "@gatehouse/catalog/AgentCores"
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import type { EffectSource, SourceEntries } from "@gatehouse/core/EffectSource"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { authoredEntry } from "./AuthoredEntry.ts"
import { type ModuleLoader, makeModuleLoader } from "./ModuleLoader.boundary.ts"

export class AuthoredSource extends Context.Tag("@gatehouse/adapters/AuthoredSource")<AuthoredSource, EffectSource>() {
  /**
   * Entries of the core that the turn was admitted with. Making them reads manifests and nothing else: no module is
   * imported. An unchanged core gives the same entries.
   */
  static readonly layer: Layer.Layer<AuthoredSource, never, AgentCores> = Layer.effect(
    AuthoredSource,
    Effect.map(AgentCores, (cores) => {
      const load = makeModuleLoader()
      const known = new WeakMap<AgentCore, SourceEntries>()
      return {
        kind: "authored",
        entries: (turn) =>
          Effect.match(cores.load(turn.coreRoot), {
            onFailure: (error) => unreadable(error.message, error.remedy),
            onSuccess: (core) => {
              if (core.revision !== turn.coreRevision) return unreadable(moved, "start the turn again")
              const entries = known.get(core) ?? entriesOf(core, load)
              known.set(core, entries)
              return entries
            }
          })
      }
    })
  )
}

const moved = "the core changed while the turn was admitted, so its tools are left out"

const entriesOf = (core: AgentCore, load: ModuleLoader): SourceEntries => ({
  entries: core.tools.map((tool) => authoredEntry(tool, load)),
  diagnostics: []
})

const unreadable = (message: string, remedy: string): SourceEntries => ({
  entries: [],
  diagnostics: [{ subject: "agent/tools", severity: "error", message, remedy }]
})
