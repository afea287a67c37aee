/** One question that `gatehouse check` answers without doing anything. */
import type { Json } from "@gatehouse/core/Json"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** The input is no question of this kind: names the field and the remedy. */
export class CheckRefused extends Data.TaggedError("CheckRefused")<{ readonly message: string }> {}

export interface CheckKind {
  /** As typed on the command line: `command`, `url`, `path`. */
  readonly name: string
  /** One line for `gatehouse check --help`. */
  readonly summary: string
  /** Answers one case of the form of `test/vectors/<kind>.json`: never starts, opens (for writing) or sends anything. */
  readonly decide: (input: unknown) => Effect.Effect<Json, CheckRefused>
}
