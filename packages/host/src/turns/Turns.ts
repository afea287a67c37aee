/**
 * Admits a run of a session: takes its authority once, asks every source for its entries, and freezes the catalog that
 * the model will see and the host will run.
 */
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import type { Catalog } from "@gatehouse/catalog/Catalog"
import type { SessionId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { TurnRefused } from "./TurnRefused.ts"

export interface TurnRequest {
  readonly principal: PrincipalScope
  readonly session: SessionId
  readonly core: AgentCore
  /** Folder that the model works in; resolved before the turn is admitted. */
  readonly workspace: string
  /** Milliseconds since the epoch; null for a turn without an end of its own. */
  readonly deadline: number | null
  readonly route: TurnContext["route"]
  readonly cancellation: AbortSignal
}

export interface Turn {
  readonly context: TurnContext
  readonly catalog: Catalog
}

export class Turns extends Context.Tag("@gatehouse/host/Turns")<
  Turns,
  {
    /** The turn lives as long as the scope: when it closes, requests of the turn are foreign. */
    readonly admit: (request: TurnRequest) => Effect.Effect<Turn, TurnRefused, Scope.Scope>
  }
>() {}
