/**
 * A canary run: a whole host over throw-away folders is given secrets in every place, runs effects of every source that
 * give them away where they can, and everything that comes out of it is searched for them.
 */
import { AgentCores } from "@gatehouse/catalog/AgentCores"
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Sessions } from "@gatehouse/control-plane/sessions/Sessions"
import { Tasks } from "@gatehouse/control-plane/tasks/Tasks"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { Entropy, type SessionId } from "@gatehouse/core/Identifiers"
import type { Status } from "@gatehouse/core/Status"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { keepCatalog } from "../catalogs/KeptCatalogs.boundary.ts"
import { type HostOptions, hostLayer } from "../Host.ts"
import { homeLayer } from "../home/HostHome.boundary.ts"
import { type ThrowAwayPlace, throwAwayPlace, writeFiles } from "../home/ThrowAwayPlace.boundary.ts"
import { executeCall } from "../runtime/ExecuteCall.ts"
import { decodeSettings } from "../settings/ReadHostSettings.boundary.ts"
import { type Turn, Turns } from "../turns/Turns.ts"
import { type CanaryCall, firstTurnCalls, listenCall, secondTurnCalls } from "./CanaryCalls.ts"
import { canaryEnvironment, canaryFiles, canarySettings, httpServerFiles } from "./CanaryCore.ts"
import { canaryPrograms } from "./CanaryPrograms.boundary.ts"
import { tapConsole } from "./ConsoleTap.boundary.ts"
import { filesUnder } from "./FilesUnder.boundary.ts"
import { type Planted, plantSecrets } from "./PlantedSecrets.ts"
import { catalogSinks, resultSinks } from "./ResultSinks.ts"
import { findLeaks, type Leak, textSink } from "./Search.ts"
import { Watchers } from "./Watchers.ts"

export interface CanaryOptions {
  /** Where the host's programs are found. */
  readonly path: string
  /** Composes the host that is tried; by default the one that Gatehouse runs. */
  readonly host?: typeof hostLayer
  /** Which calls are made; by default all of them. */
  readonly calls?: (call: CanaryCall) => boolean
}

/** A call of the run that did not end as it must for the run to say anything. */
export interface UnexpectedEnd {
  readonly tool: string
  readonly expected: Status
  readonly status: Status
  readonly message: string
}

export interface CanaryReport {
  /** Calls that were made. */
  readonly calls: number
  /** Places where a secret of their own was planted. */
  readonly secrets: number
  /** What was searched, by name. */
  readonly sinks: ReadonlyArray<string>
  readonly leaks: ReadonlyArray<Leak>
  readonly unexpected: ReadonlyArray<UnexpectedEnd>
}

export const runCanary = Effect.fn("runCanary")(function* (options: CanaryOptions) {
  const entropy = yield* Entropy
  const planted = plantSecrets((length) => entropy.bytes(length))
  const watchers = new Watchers()
  const console: Array<string> = []
  const run = Effect.gen(function* () {
    const place = yield* throwAwayPlace("canary", canaryFiles(planted, canaryPrograms()))
    yield* tapConsole(console)
    const seen = yield* Effect.scoped(callAll(place, planted, watchers, options.calls ?? (() => true))).pipe(
      Effect.provide(yield* hostOf(place, planted, watchers, options))
    )
    return { ...seen, closed: filesUnder(place.home, "host closed") }
  })
  const { closed, ends, sinks } = yield* Effect.scoped(run)
  const all = [...sinks, ...watchers.sinks, textSink("console", console.join("")), ...closed]
  return {
    calls: ends.length,
    secrets: Object.keys(planted).length,
    sinks: all.map(({ name }) => name),
    leaks: findLeaks(all, Object.values(planted)),
    unexpected: ends.flatMap(({ call, result }) => unexpectedEnd(call, result))
  } satisfies CanaryReport
})

const hostOf = (
  place: ThrowAwayPlace,
  planted: Planted,
  watchers: Watchers,
  { host = hostLayer, path }: CanaryOptions
) =>
  Effect.map(decodeSettings(canarySettings), (settings) => {
    const hostOptions: HostOptions = {
      settings,
      environment: { PATH: path, ...canaryEnvironment(planted) },
      platform: "posix",
      userHome: `${place.root}/person`,
      live: watchers.live
    }
    return host(hostOptions).pipe(Layer.provideMerge(watchers.layer), Layer.provideMerge(homeLayer(place.home)))
  })

interface MadeCall {
  readonly call: CanaryCall
  readonly result: EffectResult
}

/** Both turns, and what can be seen of them while the host runs. */
const callAll = Effect.fnUntraced(function* (
  place: ThrowAwayPlace,
  planted: Planted,
  watchers: Watchers,
  isMade: (call: CanaryCall) => boolean
) {
  const principals = yield* Principals
  const sessions = yield* Sessions
  watchers.answer = "allow"
  const session = yield* sessions.create(principals.local, { title: "canary", coreRoot: place.core })
  const first = yield* admit(place, session.id)
  const listening = yield* make(first, listenCall, watchers)
  const ends = yield* Effect.forEach(firstTurnCalls(planted).filter(isMade), (call) => make(first, call, watchers))
  const port = /port (\d+)/.exec(listening.result.views.model.text)?.[1] ?? "0"
  const calls = secondTurnCalls(planted, port).filter(isMade)
  // In a session of its own: in the first one the server would be opened anew, and what listens would go.
  if (calls.length > 0) writeFiles(place.core, httpServerFiles(port))
  const other = yield* sessions.create(principals.local, { title: "canary", coreRoot: place.core })
  const second = calls.length > 0 ? yield* admit(place, other.id) : first
  const more = yield* Effect.forEach(calls, (call) => make(second, call, watchers))
  yield* keepCatalog(first.catalog)
  yield* keepCatalog(second.catalog)
  const made = [listening, ...ends, ...more]
  return {
    ends: made,
    sinks: [
      ...resultSinks(
        made.map(({ result }) => result),
        watchers.asked
      ),
      ...catalogSinks([first.catalog, second.catalog]),
      ...(yield* recordSinks),
      ...filesUnder(place.home, "host running")
    ]
  }
})

const admit = Effect.fnUntraced(function* (place: ThrowAwayPlace, session: SessionId) {
  const principals = yield* Principals
  const core = yield* Effect.flatMap(AgentCores, (cores) => cores.load(place.core))
  return yield* Effect.flatMap(Turns, (turns) =>
    turns.admit({
      principal: principals.local,
      session,
      core,
      workspace: place.workspace,
      deadline: null,
      route: "interactive",
      cancellation: new AbortController().signal
    })
  )
})

const make = (
  turn: Turn,
  call: CanaryCall,
  watchers: Watchers
): Effect.Effect<MadeCall, never, Effect.Effect.Context<ReturnType<typeof executeCall>>> =>
  Effect.suspend(() => {
    watchers.answer = call.answer
    return Effect.map(executeCall(turn, call.tool, call.args), (result) => {
      watchers.answer = "allow"
      return { call, result }
    })
  })

/** What the store gives to whoever may ask it. */
const recordSinks = Effect.gen(function* () {
  const { local } = yield* Principals
  const events = yield* Effect.flatMap(EventLog, (log) => log.read(local, {}))
  const effects = yield* Effect.flatMap(EffectRecords, (records) => records.recent(local, Number.MAX_SAFE_INTEGER))
  const approvals = yield* Effect.flatMap(ApprovalRecords, (records) => records.list(local, "all"))
  const tasks = yield* Tasks
  const kept = yield* tasks.list(local)
  const logs = yield* Effect.forEach(kept, ({ id }) => tasks.log(local, id, 0))
  return [
    textSink("task records and logs", `${JSON.stringify(kept)}\n${JSON.stringify(logs)}`),
    textSink("events", JSON.stringify(events)),
    textSink("effect records", JSON.stringify(effects)),
    textSink("approval records", JSON.stringify(approvals))
  ]
})

const unexpectedEnd = (
  { expected, tool }: CanaryCall,
  { error, status }: EffectResult
): ReadonlyArray<UnexpectedEnd> =>
  status === expected ? [] : [{ tool, expected, status, message: error?.message ?? "" }]
