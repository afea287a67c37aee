/** The service {@link Processes}: what has to be true before a start, and the registry of what runs. */

import { join } from "node:path"
import { Home } from "@gatehouse/core/Home"
import { Entropy, makeIdentifier, SpawnId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import { Artifacts } from "../Artifacts.ts"
import { hostIdentity, markVariable, signMark } from "../identity/SpawnMark.ts"
import { bindStart } from "../identity/StartIdentity.ts"
import { ProcessError, type ProcessFailureReason } from "../ProcessError.ts"
import type { Processes, ProcessesOptions, SpawnOptions } from "../Processes.ts"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { readReport, SpawnRecords } from "../sweep/SpawnRecords.boundary.ts"
import { sweepHome } from "../sweep/Sweep.ts"
import { ProcessTables } from "../table/ProcessTable.ts"
import { type StartedChild, startChild } from "./ChildProcess.boundary.ts"
import { type OwnedTree, ownTree } from "./OwnedTree.ts"
import { makePreparation } from "./Preparation.ts"
import { inRealTime } from "./RealTime.boundary.ts"
import { startError } from "./StartErrors.ts"

/** Looks at a fresh child until its start marker can be read (behaviour A13). */
const markerTries = 5
const markerPauseMillis = 10
/** More starts than can be under way at once. */
const startPermits = 1_000_000

export const makeProcesses = Effect.fnUntraced(function* (hostOptions: ProcessesOptions) {
  const { root, key } = yield* Home
  const artifacts = yield* Artifacts
  const table = yield* ProcessTables
  const entropy = yield* Entropy
  const prepare = makePreparation(yield* Sandbox, root, hostOptions.limits ?? {})
  const folder = join(root, "processes")
  const instance = Buffer.from(entropy.bytes(4)).toString("hex")
  const self = hostIdentity(table)
  const ownGroup = table.status(table.self)?.group ?? 0

  const fibers = yield* FiberSet.make<unknown, unknown>()
  const run = yield* FiberSet.runtime(fibers)()
  const fork = <A, E>(effect: Effect.Effect<A, E>) => run(inRealTime(effect))
  const starts = yield* Effect.makeSemaphore(startPermits)
  const owned = new Map<SpawnId, OwnedTree>()
  let closed = false
  let records: SpawnRecords | null = null

  const recorded = <A>(use: (records: SpawnRecords) => A): Effect.Effect<A, ProcessError> =>
    Effect.try({
      try: () => {
        if (self === null) throw new Error("this host has no identity")
        return use((records ??= new SpawnRecords(folder, self, instance)))
      },
      catch: (error) => notRecorded(error)
    })

  /** The start marker of a child, or what undid it. */
  const bind = Effect.fnUntraced(function* (child: StartedChild, spawnId: SpawnId) {
    let exited = false
    child.onExit(() => (exited = true))
    for (let tried = 1; ; tried++) {
      const status = table.status(child.pid)
      const verdict = bindStart(spawnId, status?.start ?? null, exited)
      if (verdict.bind === "accepted") return { start: verdict.start, startedAt: status?.startedAt ?? 0 }
      if (tried === markerTries) {
        child.undo()
        return yield* failure("identity", verdict.why, "Make /proc readable for the host", true)
      }
      yield* inRealTime(Effect.sleep(markerPauseMillis))
    }
  })

  const start = Effect.fnUntraced(function* (options: SpawnOptions) {
    if (closed) return yield* refusedByShutdown
    if (table.missing !== null) return yield* failure("unsupported", table.missing, "Run the host on Linux or macOS")
    if (self === null)
      return yield* failure("identity", "the host cannot read its own start marker", "Make /proc readable")
    const prepared = yield* prepare(options)
    const spawnId = SpawnId(makeIdentifier("spawn", entropy))
    const mark = signMark(key, { spawnId, owner: self })
    const slot = yield* recorded((it) => it.begin(spawnId, options.label))
    const forget = Effect.sync(() => records?.clear(slot))
    return yield* Effect.gen(function* () {
      const child = yield* startChild({
        ...prepared.invocation,
        cwd: options.cwd,
        environment: { ...options.environment, [markVariable]: mark },
        stdin: options.stdin === null ? "end" : "pipe"
      }).pipe(Effect.mapError(({ code }) => startError(code)))
      const { start, startedAt } = yield* bind(child, spawnId)
      yield* Effect.onError(
        recorded((it) => it.started(slot, { spawnId, label: options.label, pid: child.pid, start, startedAt })),
        () => Effect.sync(child.undo)
      )
      const tree = yield* ownTree(
        { table, artifacts, ownGroup, fork },
        {
          spawnId,
          child,
          tree: { spawnId, leader: child.pid, start, startedAt, mark, known: new Map(), leaderEndedAt: null },
          options,
          unsupported: prepared.unsupported,
          sandbox: prepared.sandbox,
          onSettled: (gone) => {
            owned.delete(spawnId)
            if (gone) records?.clear(slot)
          }
        }
      )
      owned.set(spawnId, tree)
      return tree
    }).pipe(Effect.onError(() => forget))
  })

  const shutdown = Effect.gen(function* () {
    closed = true
    // Starts that are under way become owned first, or fail.
    yield* starts.withPermits(startPermits)(Effect.void)
    yield* Effect.forEach(owned.values(), (tree) => Effect.exit(tree.endBecause("shutdown")), {
      concurrency: "unbounded",
      discard: true
    })
  })
  yield* Effect.addFinalizer(() =>
    Effect.zipRight(
      shutdown,
      Effect.sync(() => records?.close())
    )
  )

  const service: Processes["Type"] = {
    spawn: (options) => Effect.acquireRelease(starts.withPermits(1)(start(options)), (tree) => Effect.exit(tree.end)),
    shutdown,
    sweep: inRealTime(sweepHome({ table, key, folder, ownGroup, instance })),
    lastSweep: Effect.try({ try: () => readReport(folder), catch: (error) => notRecorded(error) })
  }
  return service
})

const failure = (reason: ProcessFailureReason, message: string, remedy: string, spawned = false): ProcessError =>
  new ProcessError({ reason, message, remedy, spawned, exit: null })

const refusedByShutdown = failure(
  "shutdown",
  "the host is shutting down and starts nothing any more",
  "Start the host again"
)

const notRecorded = (error: unknown): ProcessError =>
  failure(
    "record",
    `the host's records of running processes cannot be read or written (${error instanceof Error ? error.message : "unknown"})`,
    "Make the folder processes of the Gatehouse home writable, with space left"
  )
