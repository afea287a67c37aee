/** Whether a store, or a backup of one, is whole: its pages, its references and its chain of events. */
import * as Effect from "effect/Effect"
import type { ChainVerdict } from "../events/EventChain.ts"
import { verifyChain } from "../events/VerifyChain.ts"
import { text } from "../Row.ts"
import { statement } from "../Statement.ts"
import { Store, type StoreShape } from "../Store.ts"
import type { StoreError } from "../StoreError.ts"

export interface StoreVerdict {
  readonly path: string
  readonly sound: boolean
  /** What SQLite found: damaged pages, indexes that do not agree, references to nothing. */
  readonly problems: ReadonlyArray<string>
  readonly chain: ChainVerdict
}

/** Reads everything once. */
export const verifyStore = (store: StoreShape): Effect.Effect<StoreVerdict, StoreError> =>
  Effect.gen(function* () {
    const integrity = yield* store.integrity
    const references = yield* store.read(foreignKeyCheck(), (row) => `a row of ${text(row, "table")} refers to nothing`)
    const chain = yield* verifyChain(store)
    const problems = [...integrity.filter((line) => line !== "ok"), ...references]
    return { path: store.location, sound: problems.length === 0 && chain.sound, problems, chain }
  })

/** The same for the file at `path`, which is not changed. */
export const verifyFile = (path: string): Effect.Effect<StoreVerdict, StoreError> =>
  Effect.provide(Effect.flatMap(Store, verifyStore), Store.layerReadOnly(path))

const foreignKeyCheck = statement("PRAGMA foreign_key_check")
