/** The check kind `call` over the places that a command was given. */
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import * as Effect from "effect/Effect"
import { callCheck } from "../check/Call.ts"
import { Explainer } from "../explain/Explainer.ts"
import { Turns } from "../turns/Turns.ts"
import type { Places } from "./GlobalOptions.ts"
import { Invocation } from "./Invocation.ts"
import { admitDryTurn, localDryHostLayer } from "./LocalDryHost.ts"

/** Runs `use` with the kind, in a dry host of its own. */
export const withCallKind = <A, E, R>(
  places: Places,
  use: (kind: ReturnType<typeof callCheck>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const explainer = yield* Explainer
    const context = yield* Effect.context<AgentCores | Principals | Turns | Invocation>()
    return yield* use(
      callCheck((principal, tool, args) =>
        Effect.scoped(
          Effect.flatMap(admitDryTurn(places, principal), (turn) => explainer.explain(turn, tool, args))
        ).pipe(Effect.provide(context))
      )
    )
  }).pipe(Effect.provide(localDryHostLayer(places)))
