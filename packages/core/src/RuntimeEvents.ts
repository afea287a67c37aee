/** What the runtime tells whoever listens: one typed, ordered stream. Contents are redacted before they come here. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CallId, SessionId, TurnId } from "./Identifiers.ts"
import type { Json } from "./Json.ts"

export interface RuntimeEvent {
  /** Dotted, lower case: `effect.settled`, `approval.requested`, `process.started`. */
  readonly type: string
  readonly session: SessionId
  readonly turn: TurnId | null
  readonly call: CallId | null
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly data: Json
}

export class RuntimeEvents extends Context.Tag("@gatehouse/core/RuntimeEvents")<
  RuntimeEvents,
  { readonly publish: (event: RuntimeEvent) => Effect.Effect<void> }
>() {
  /** Listens to nothing. */
  static readonly layerNone = Layer.succeed(RuntimeEvents, { publish: () => Effect.void })

  /** Keeps every event in `into`, for tests and for the tour. */
  static readonly layerMemory = (into: Array<RuntimeEvent>): Layer.Layer<RuntimeEvents> =>
    Layer.succeed(RuntimeEvents, { publish: (event) => Effect.sync(() => void into.push(event)) })
}
