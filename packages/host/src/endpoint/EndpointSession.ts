/**
 * One client of the governed endpoint: a Gatehouse session with a principal of its own. A turn opens with each listing,
 * and with the first call after the core changed; what the client was shown is what its calls run.
 */
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import type { CoreError } from "@gatehouse/catalog/cores/CoreError"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import type { EffectEntry } from "@gatehouse/core/EffectEntry"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import type { SessionId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { EffectRuntime } from "../runtime/EffectRuntime.ts"
import { executeCall } from "../runtime/ExecuteCall.ts"
import type { TurnRefused } from "../turns/TurnRefused.ts"
import { type Turn, Turns } from "../turns/Turns.ts"

export interface EndpointClient {
  readonly principal: PrincipalScope
  /** Name that the client gives itself; shown, and trusted for nothing. */
  readonly name: string
  readonly coreRoot: string
  readonly workspace: string
  readonly route: "interactive" | "none"
}

export interface EndpointListing {
  readonly entries: ReadonlyArray<EffectEntry>
  readonly diagnostics: ReadonlyArray<SourceDiagnostic>
}

export interface EndpointSession {
  readonly id: SessionId
  /** Opens a turn and answers with its catalog. */
  readonly list: Effect.Effect<EndpointListing, CoreError | TurnRefused>
  /** Runs in the turn of the last listing, unless the core changed since. Interruption cancels the effect. */
  readonly call: (name: string, args: unknown) => Effect.Effect<EffectResult, CoreError | TurnRefused>
}

/** The session ends with its scope: calls under way settle as `cancelled`, and its turns are dismissed. */
export const makeEndpointSession = Effect.fn("EndpointSession.make")(function* (client: EndpointClient) {
  const cores = yield* AgentCores
  const turns = yield* Turns
  const sessions = yield* Sessions
  const runtime = yield* EffectRuntime
  const own = yield* Effect.scope
  const opening = yield* Effect.makeSemaphore(1)
  const stop = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort())
  )
  const { id } = yield* sessions.create(client.principal, { title: client.name, coreRoot: client.coreRoot })
  let current: OpenTurn | null = null

  const open = Effect.fnUntraced(function* () {
    const core = yield* cores.load(client.coreRoot)
    const scope = yield* Scope.fork(own, { _tag: "Sequential" })
    const { coreRoot: _, name: __, ...asked } = client
    const admitted = turns.admit({ ...asked, session: id, core, deadline: null, cancellation: stop.signal })
    const turn = yield* Scope.extend(admitted, scope).pipe(Effect.onError(() => Scope.close(scope, Exit.void)))
    const before = current
    current = { turn, core, scope, calls: 0, retired: false }
    if (before !== null) yield* retire(before)
    return current
  })

  /** The turn that a call belongs to: that of the last listing, while the core is the same. */
  const turnForCall = Effect.gen(function* () {
    const core = yield* cores.load(client.coreRoot)
    const opened = current !== null && current.core === core ? current : yield* open()
    opened.calls += 1
    return opened
  }).pipe(opening.withPermits(1))

  const session: EndpointSession = {
    id,
    list: Effect.map(opening.withPermits(1)(open()), ({ turn: { catalog } }) => ({
      entries: catalog.entries,
      diagnostics: catalog.diagnostics
    })),
    call: (name, args) =>
      Effect.acquireUseRelease(turnForCall, ({ turn }) => executeCall(turn, name, args), release).pipe(
        Effect.provideService(EffectRuntime, runtime)
      )
  }
  return session
})

/** A turn lives until another one has replaced it and its last call has ended. */
interface OpenTurn {
  readonly turn: Turn
  readonly core: unknown
  readonly scope: Scope.CloseableScope
  calls: number
  retired: boolean
}

const retire = (opened: OpenTurn): Effect.Effect<void> =>
  Effect.suspend(() => {
    opened.retired = true
    return opened.calls === 0 ? Scope.close(opened.scope, Exit.void) : Effect.void
  })

const release = (opened: OpenTurn): Effect.Effect<void> =>
  Effect.suspend(() => {
    opened.calls -= 1
    return opened.retired && opened.calls === 0 ? Scope.close(opened.scope, Exit.void) : Effect.void
  })
