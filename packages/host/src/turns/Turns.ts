/**
 * Admits a run of a session: takes its authority once, asks every source for its entries, and freezes the catalog that
 * the model will see and the host will run.
 */

import { setMaxListeners } from "node:events"
import type { Catalog } from "@gatehouse/catalog/Catalog"
import { Catalogs } from "@gatehouse/catalog/Catalogs"
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import { Entropy, makeIdentifier, type SessionId, TurnId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { AdmittedTurns } from "../runtime/AdmittedTurns.ts"
import { EffectRuntime } from "../runtime/EffectRuntime.ts"
import { EffectSources } from "./EffectSources.ts"
import { type AroundPreparing, makeGate } from "./TurnGate.ts"
import { TurnRefused } from "./TurnRefused.ts"

export interface TurnRequest {
  readonly principal: PrincipalScope
  readonly session: SessionId
  readonly core: AgentCore
  /** Folder that the model works in; absolute, links resolved. */
  readonly workspace: string
  /** Milliseconds since the epoch; null for a turn without an end of its own. */
  readonly deadline: number | null
  readonly route: TurnContext["route"]
  readonly cancellation: AbortSignal
  /** Stands around every effect that preparing the turn needs (opening a server), and may hold it back. */
  readonly around?: AroundPreparing
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
>() {
  static readonly layer = Layer.effect(
    Turns,
    Effect.gen(function* () {
      const sources = yield* EffectSources
      const catalogs = yield* Catalogs
      const admitted = yield* AdmittedTurns
      const runtime = yield* EffectRuntime
      const entropy = yield* Entropy
      return {
        admit: Effect.fn("Turns.admit")(function* (request: TurnRequest) {
          const { around, core, ...rest } = request
          const context: TurnContext = Object.freeze({
            ...rest,
            id: TurnId(makeIdentifier("turn", entropy)),
            coreRevision: core.revision,
            coreRoot: core.root,
            capabilities: core.capabilities
          })
          // Every call under way listens, and a turn may have any number of them.
          setMaxListeners(0, context.cancellation)
          admitted.prepare(context, core)
          const gate = makeGate({ context, core, catalogs, admitted, runtime, entropy }, around)
          const brought = yield* Effect.forEach(
            sources,
            (source) => Effect.map(source.entries(context, gate), (entries) => ({ kind: source.kind, ...entries })),
            { concurrency: "unbounded" }
          )
          const catalog = yield* Effect.mapError(
            catalogs.freeze({ core, sources: brought }),
            ({ message, remedy }) => new TurnRefused({ message, remedy })
          )
          yield* Effect.acquireRelease(
            Effect.sync(() => admitted.admit(context, { catalog, core })),
            () => Effect.sync(() => admitted.dismiss(context))
          )
          return { context, catalog }
        })
      }
    })
  )
}
