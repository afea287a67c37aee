/**
 * One client of the governed endpoint: a Gatehouse session with a principal of its own. A turn opens with each listing,
 * and with the first call after the core changed; what the client was shown is what its calls run.
 *
 * Servers are opened beside the listing, which waits a short time for them: a server that hangs, or that a person has
 * to allow first, takes no tool of the others away. When it is there, the client is told that its list changed.
 */
import { McpConnections } from "@gatehouse/adapters/mcp/McpConnections"
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import type { AgentCore } from "@gatehouse/catalog/cores/AgentCore"
import type { CoreError } from "@gatehouse/catalog/cores/CoreError"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import type { SourceDiagnostic } from "@gatehouse/core/EffectSource"
import type { SessionId } from "@gatehouse/core/Identifiers"
import type { PrincipalScope } from "@gatehouse/core/PrincipalScope"
import { Approvals } from "@gatehouse/policy/approvals/Approvals"
import * as Effect from "effect/Effect"
import * as ExecutionStrategy from "effect/ExecutionStrategy"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import { EffectRuntime } from "../runtime/EffectRuntime.ts"
import { executeCallAs, newCallId } from "../runtime/ExecuteCall.ts"
import { rememberCall } from "../sessions/RememberCall.ts"
import type { TurnRefused } from "../turns/TurnRefused.ts"
import { type Turn, Turns } from "../turns/Turns.ts"
import type { ClientSurfaces } from "./ClientSurfaces.ts"
import { liveNotes } from "./LiveNotes.ts"
import { heldBack, ServerOpenings } from "./ServerOpenings.ts"
import { type AskedFace, SessionQuestions } from "./SessionQuestions.ts"
import { isSameList, type Listing } from "./ToolPages.ts"

export interface EndpointClient {
  readonly principal: PrincipalScope
  /** Name that the client gives itself; shown, and trusted for nothing. */
  readonly name: string
  readonly coreRoot: string
  readonly workspace: string
  /** Tells the client that its list is another one. */
  readonly listChanged: () => void
  /** Whom to tell of questions that belong to no request, and whether the owner lets the client's person answer. */
  readonly questions: SessionQuestions
  readonly surfaces: ClientSurfaces
}

export interface EndpointListing extends Listing {
  readonly diagnostics: ReadonlyArray<SourceDiagnostic>
}

export interface EndpointSession {
  readonly id: SessionId
  /** Opens a turn and answers with its catalog. */
  readonly list: (face: AskedFace) => Effect.Effect<EndpointListing, CoreError | TurnRefused>
  /** What {@link list} answered last, for its further pages; null before. */
  readonly listed: () => EndpointListing | null
  /** Runs in the turn of the last listing, unless the core changed since. Interruption cancels the effect. */
  readonly call: (name: string, args: unknown, face: AskedFace) => Effect.Effect<EffectResult, CoreError | TurnRefused>
}

/** Milliseconds that a listing waits for servers that are being opened: below what clients wait at their start. */
export const listingMillis = 5_000

/** Milliseconds that a call waits for servers, where no tool of its name is there yet. */
const openingMillis = 50_000

/** Milliseconds between two looks at the core and the servers, for telling the client of a change. */
const lookMillis = 1_000

/** The session ends with its scope: calls under way settle as `cancelled`, its servers are closed, its turns dismissed. */
export const makeEndpointSession = Effect.fn("EndpointSession.make")(function* (client: EndpointClient) {
  const cores = yield* AgentCores
  const turns = yield* Turns
  const sessions = yield* Sessions
  const runtime = yield* EffectRuntime
  const connections = yield* McpConnections
  const approvals = yield* Approvals
  const clock = yield* Effect.clock
  const own = yield* Effect.scope
  const opening = yield* Effect.makeSemaphore(1)
  const { coreRoot, principal, questions, surfaces, workspace } = client
  const { id } = yield* sessions.create(principal, { title: client.name, coreRoot })
  yield* Effect.addFinalizer(() => Effect.ignoreLogged(sessions.end(principal, id)))
  yield* Effect.addFinalizer(() => approvals.dropSession(id))
  yield* connections.bound(id)
  const stop = yield* Effect.acquireRelease(
    Effect.sync(() => new AbortController()),
    (controller) => Effect.sync(() => controller.abort())
  )
  yield* surfaces.attach(id, (prompt) => questions.ask(prompt))

  const openTurns = new Set<OpenTurn>()
  const openings = new ServerOpenings(clock)
  let latest: OpenTurn | null = null
  let shown: OpenTurn | null = null
  let refreshing: { readonly core: AgentCore; readonly fiber: Fiber.RuntimeFiber<void, TurnRefused> } | null = null
  let isAnnounced = false

  const admit = (core: AgentCore, opens: "servers" | "nothing"): Effect.Effect<OpenTurn, TurnRefused> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const scope = yield* Scope.fork(own, ExecutionStrategy.sequential)
        const admitted = turns.admit({
          principal,
          session: id,
          core,
          workspace,
          deadline: null,
          route: "interactive",
          cancellation: stop.signal,
          around: opens === "nothing" ? heldBack : openings.around
        })
        const turn = yield* restore(Scope.extend(admitted, scope)).pipe(
          Effect.onError(() => Scope.close(scope, Exit.void))
        )
        const opened: OpenTurn = { turn, core, scope, calls: 0 }
        openTurns.add(opened)
        return opened
      })
    )

  const closeUnused = Effect.suspend(() =>
    Effect.forEach(
      [...openTurns].filter((turn) => turn !== latest && turn !== shown && turn.calls === 0),
      (turn) => {
        openTurns.delete(turn)
        return Scope.close(turn.scope, Exit.void)
      },
      { discard: true }
    )
  )

  const setLatest = (opened: OpenTurn): Effect.Effect<void> => {
    latest = opened
    return closeUnused
  }

  /** A turn of `core`, at once: what is not open yet comes with {@link refresh}. */
  const ensure = (core: AgentCore): Effect.Effect<OpenTurn, TurnRefused> =>
    Effect.gen(function* () {
      if (latest?.core === core) return latest
      if (refreshing !== null) yield* Fiber.interrupt(refreshing.fiber)
      refreshing = null
      const opened = yield* admit(core, "nothing")
      yield* setLatest(opened)
      if (hasServers(core)) yield* refresh(core)
      return opened
    })

  /** The turn of `core` with its servers opened, in a fiber that outlives whoever asked for it. */
  const refresh = (core: AgentCore): Effect.Effect<Fiber.RuntimeFiber<void, TurnRefused>> =>
    Effect.suspend(() => {
      if (refreshing?.core === core) return Effect.succeed(refreshing.fiber)
      return Effect.forkIn(
        Effect.interruptible(admit(core, "servers")).pipe(
          Effect.flatMap(setLatest),
          Effect.ensuring(
            Effect.sync(() => {
              if (refreshing?.core === core) refreshing = null
            })
          ),
          Effect.tap(announce)
        ),
        own
      ).pipe(
        Effect.tap((fiber) =>
          Effect.sync(() => {
            if (fiber.unsafePoll() === null) refreshing = { core, fiber }
          })
        )
      )
    })

  /** Once for each list that the client does not know, and only where it would see a difference. */
  const announce = Effect.sync(() => {
    if (shown === null || latest === null || isAnnounced || isSameList(shown.turn.catalog, latest.turn.catalog)) return
    isAnnounced = true
    client.listChanged()
  })

  const list = (face: AskedFace) =>
    Effect.gen(function* () {
      const core = yield* cores.load(coreRoot)
      const isFirst = latest?.core !== core
      const opened = yield* opening.withPermits(1)(ensure(core))
      if (hasServers(core) || !isFirst) {
        const fiber = yield* opening.withPermits(1)(refresh(core))
        yield* questions.during(face, Effect.timeoutOption(Fiber.await(fiber), listingMillis))
      }
      const turn = latest?.core === core ? latest : opened
      shown = turn
      isAnnounced = false
      yield* closeUnused
      return listingOf(turn.turn)
    })

  /** The turn that a call belongs to: that of the last listing while the core is the same and has the name. */
  const turnFor = (name: string, face: AskedFace) =>
    Effect.gen(function* () {
      const core = yield* cores.load(coreRoot)
      const newest = yield* opening.withPermits(1)(ensure(core))
      if (shown?.core === core && has(shown, name)) return shown
      if (!has(newest, name) && refreshing?.core === core) {
        face.progress("the core's servers are being opened")
        yield* questions.during(face, Effect.timeoutOption(Fiber.await(refreshing.fiber), openingMillis))
      }
      return latest?.core === core ? latest : newest
    })

  const call = (name: string, args: unknown, face: AskedFace) =>
    Effect.flatMap(turnFor(name, face), (opened) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          opened.calls += 1
        }),
        () =>
          Effect.flatMap(newCallId, (callId) =>
            surfaces.watching(
              callId,
              liveNotes(clock, face.progress),
              questions.asking(callId, face, executeCallAs(callId, opened.turn, name, args))
            )
          ).pipe(
            // Nobody waits for it; what has begun is written before the session ends.
            Effect.tap((result) =>
              Effect.forkIn(Effect.uninterruptible(rememberCall(sessions, opened.turn.context, result)), own)
            )
          ),
        () =>
          Effect.suspend(() => {
            opened.calls -= 1
            return closeUnused
          })
      )
    ).pipe(Effect.provideService(EffectRuntime, runtime))

  /** Between turns: the core on disk, and what servers said of their lists. A core that cannot be read now waits. */
  const look = Effect.gen(function* () {
    if (shown === null) return
    const core = yield* cores.load(coreRoot)
    if (core !== shown.core) yield* opening.withPermits(1)(ensure(core))
    else if (yield* connections.isStale(id)) yield* opening.withPermits(1)(refresh(core))
    yield* refreshing === null ? announce : Effect.void
  })
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(look), Schedule.spaced(lookMillis)))

  const session: EndpointSession = {
    id,
    list,
    listed: () => (shown === null ? null : listingOf(shown.turn)),
    call
  }
  return session
})

/** A turn lives while it is the newest or the one that the client was shown, and until its last call has ended. */
interface OpenTurn {
  readonly turn: Turn
  readonly core: AgentCore
  readonly scope: Scope.CloseableScope
  calls: number
}

const hasServers = ({ servers }: AgentCore): boolean => servers.some(({ manifest }) => manifest.enabled)

const has = ({ turn }: OpenTurn, name: string): boolean => turn.catalog.resolve(name) !== null

const listingOf = ({ catalog: { diagnostics, entries, id } }: Turn): EndpointListing => ({ id, entries, diagnostics })
