/** What each source brought along for a turn: the entries before settings were merged into them, for "why?". */
import type { EffectSource, SourceEntry } from "@gatehouse/core/EffectSource"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Effect from "effect/Effect"

export class BroughtEntries {
  readonly #brought = new WeakMap<TurnContext, Map<string, SourceEntry>>()

  /** The entry of `name` as its source gave it. */
  find(turn: TurnContext, name: string): SourceEntry | null {
    return this.#brought.get(turn)?.get(name) ?? null
  }

  /** `source`, remembered. */
  noting(source: EffectSource): EffectSource {
    return {
      kind: source.kind,
      entries: (turn, gate) => Effect.tap(source.entries(turn, gate), ({ entries }) => this.#note(turn, entries))
    }
  }

  #note(turn: TurnContext, entries: ReadonlyArray<SourceEntry>): Effect.Effect<void> {
    return Effect.sync(() => {
      const known = this.#brought.get(turn) ?? new Map<string, SourceEntry>()
      for (const entry of entries) known.set(entry.name, entry)
      this.#brought.set(turn, known)
    })
  }
}
