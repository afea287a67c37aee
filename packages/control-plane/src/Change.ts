/** What is to be written in one piece: all of it or nothing. */
import type { RuntimeEvent } from "@gatehouse/core/RuntimeEvents"
import type { Row } from "./Row.ts"
import type { Statement } from "./Statement.ts"

export interface Change {
  /** Carried out in order. What depends on what stands there is said in SQL: between them nothing can be decided. */
  readonly statements: ReadonlyArray<Statement>
  /** Appended to the log in the same transaction. */
  readonly events?: ReadonlyArray<RuntimeEvent>
  /** Index of the statement that must have given rows for the events to be appended; absent: they always are. */
  readonly eventsIf?: number
}

/** Rows of each statement, in order. */
export type ChangeRows = ReadonlyArray<ReadonlyArray<Row>>

/**
 * What a written change survives: `disk` a power cut, for what says that an effect began or how it ended; `process` the
 * end of this process, for what is of use to living hosts only. What is on the disk is so with all that was written before.
 */
export type Durability = "disk" | "process"
