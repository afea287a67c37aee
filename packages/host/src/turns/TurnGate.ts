/** The gate of one turn: an effect that a source needs for preparing (opening a server) walks the eight stages too. */
import type { Catalogs } from "@gatehouse/catalog/Catalogs"
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import { BindingError } from "@gatehouse/core/EffectError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import type { Gate } from "@gatehouse/core/Gate"
import { CallId, CatalogId, type Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import type { TurnContext } from "@gatehouse/core/TurnContext"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { AdmittedTurns } from "../runtime/AdmittedTurns.ts"
import type { EffectRuntime } from "../runtime/EffectRuntime.ts"
import { unboundCall } from "../runtime/UnboundCall.ts"

interface GateParts {
  readonly context: TurnContext
  readonly core: AgentCore
  readonly catalogs: Context.Tag.Service<Catalogs>
  readonly admitted: Context.Tag.Service<AdmittedTurns>
  readonly runtime: Context.Tag.Service<EffectRuntime>
  readonly entropy: Context.Tag.Service<typeof Entropy>
}

/** May answer in the place of `pass`, which passes the entry through the stages. */
export type AroundPreparing = (entry: SourceEntry, pass: Effect.Effect<EffectResult>) => Effect.Effect<EffectResult>

/**
 * Freezes a catalog of the one entry under a copy of the turn's context, so that it has the turn's authority and is
 * bound to nothing else of it.
 */
export const makeGate = (
  { admitted, catalogs, context, core, entropy, runtime }: GateParts,
  around: AroundPreparing = (_, pass) => pass
): Gate => ({
  pass: (entry, args) =>
    Effect.suspend((): Effect.Effect<EffectResult> => {
      const callId = CallId(makeIdentifier("call", entropy))
      const own: TurnContext = Object.freeze({ ...context })
      const run = Effect.gen(function* () {
        const catalog = yield* catalogs.freeze({
          core,
          sources: [{ kind: "connect", entries: [entry], diagnostics: [] }]
        })
        const ref = catalog.resolve(entry.name)
        const request = ref === null ? Either.left(withheld) : catalog.request(ref, args, callId)
        if (Either.isLeft(request)) {
          return unboundCall({ callId, tool: entry.name, catalog: catalog.id }, "denied", request.left)
        }
        admitted.admit(own, { catalog, core })
        return yield* runtime.execute(request.right, own)
      })
      return around(
        entry,
        run.pipe(
          Effect.catchTag("CatalogError", ({ message, remedy }) =>
            Effect.succeed(
              unboundCall(
                { callId, tool: entry.name, catalog: CatalogId("") },
                "invalid",
                new BindingError({ reason: "foreign", message, remedy })
              )
            )
          ),
          Effect.ensuring(Effect.sync(() => admitted.dismiss(own)))
        )
      )
    })
})

const withheld = new BindingError({
  reason: "unknown_name",
  message: "the core leaves this entry out",
  remedy: "see tools.metadata in agent.yaml"
})
