/** Why no catalog can be frozen: the turn does not begin. */
import * as Data from "effect/Data"

/** Two sources bring one name. The message holds both provenances, the remedy says what to rename. */
export class CatalogError extends Data.TaggedError("CatalogError")<{
  readonly reason: "collision"
  readonly name: string
  readonly provenances: readonly [string, string]
  readonly message: string
  readonly remedy: string
}> {}
