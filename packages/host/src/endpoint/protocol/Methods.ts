/** What a connection asks of whoever serves it: one function a method. */
import type * as Effect from "effect/Effect"
import type { Members, RpcError } from "./ClientMessage.ts"
import type { ElicitationAnswer, ElicitationForm } from "./Elicitation.ts"

/** One request under way, as its method sees it. */
export interface RequestFace {
  readonly client: ClientFacts
  /** Says how far it is, under the token that the client gave; nothing where it gave none. */
  readonly progress: (message: string) => void
  /** A line of the log for the client's person, where their level asks for it. */
  readonly log: (level: LogLevel, data: string) => void
  /** Asks the client's person; null where the client cannot. */
  readonly elicit: ((form: ElicitationForm) => Effect.Effect<ElicitationAnswer>) | null
}

/** What a client said about itself in `initialize`. Shown, and trusted for nothing. */
export interface ClientFacts {
  readonly name: string
  readonly version: string
  readonly elicits: boolean
}

/** Answers a request, or says why there is none. Interruption is the client's cancellation, or its end. */
export type Method = (params: Members, face: RequestFace) => Effect.Effect<object, RpcError>

export type Methods = Readonly<Record<string, Method>>

/** Levels of `logging/setLevel`, the chattiest first (RFC 5424, section 6.2.1). */
export const logLevels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"] as const
export type LogLevel = (typeof logLevels)[number]
