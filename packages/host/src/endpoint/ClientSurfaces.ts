/**
 * Which session's client hears what: questions reach the client whose session they belong to, and text of running calls
 * the request that they answer. One host with one prompter serves many clients by it.
 */
import type { CallId, SessionId } from "@gatehouse/core/Identifiers"
import { type ApprovalPrompt, ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"

/** Answers with a word of `ApprovalAnswer`, or never: then another surface answers the record, or its time ends. */
export type AskClient = (prompt: ApprovalPrompt) => Effect.Effect<string>

export class ClientSurfaces {
  private readonly clients = new Map<SessionId, AskClient>()
  private readonly watchers = new Map<CallId, (text: string) => void>()

  /** `ask` gets the questions of `session` while the scope is open. */
  attach(session: SessionId, ask: AskClient): Effect.Effect<void, never, Scope.Scope> {
    return Effect.acquireRelease(
      Effect.sync(() => void this.clients.set(session, ask)),
      () => Effect.sync(() => this.clients.delete(session))
    )
  }

  /** `hear` gets the text of `call` while `work` runs. */
  watching<A, E, R>(call: CallId, hear: (text: string) => void, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.sync(() => this.watchers.set(call, hear)),
      () => work,
      () => Effect.sync(() => this.watchers.delete(call))
    )
  }

  /** For `HostOptions.live`. */
  readonly live = (call: CallId, _stream: "stdout" | "stderr", text: string): void => this.watchers.get(call)?.(text)

  /** For the host: everything is asked of the session's own client, and open to other surfaces meanwhile. */
  get prompterLayer(): Layer.Layer<ApprovalPrompter> {
    return Layer.succeed(ApprovalPrompter, {
      surface: "elicitation",
      available: true,
      ask: (prompt) => this.clients.get(prompt.session)?.(prompt) ?? Effect.never
    })
  }
}
