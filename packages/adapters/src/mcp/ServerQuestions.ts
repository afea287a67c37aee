/**
 * The port by which a server's question reaches a person (MCP elicitation). Whoever asks people of this host gives it a
 * layer; without one, servers are told that nobody is there.
 */
import type { SessionId } from "@gatehouse/core/Identifiers"
import type { Json } from "@gatehouse/core/Json"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** A form that a server wants filled in. All of it is the server's own words. */
export interface ServerQuestion {
  readonly server: string
  readonly session: SessionId
  readonly message: string
  /** JSON Schema of a flat object. */
  readonly schema: Json
}

export type ServerQuestionAnswer =
  | { readonly action: "accept"; readonly content: Json }
  | { readonly action: "decline" | "cancel" }

export class ServerQuestions extends Context.Tag("@gatehouse/adapters/ServerQuestions")<
  ServerQuestions,
  {
    /** Whether anybody can be asked: only then is the capability declared to servers. */
    readonly available: boolean
    readonly ask: (question: ServerQuestion) => Effect.Effect<ServerQuestionAnswer>
  }
>() {
  /** Nobody is asked. */
  static readonly layerNobody = Layer.succeed(ServerQuestions, {
    available: false,
    ask: () => Effect.succeed<ServerQuestionAnswer>({ action: "decline" })
  })
}
