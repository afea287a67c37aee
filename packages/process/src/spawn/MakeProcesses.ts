/** The service {@link Processes}: what has to be true before a start, and the registry of what runs. */

import { createSecretKey } from "node:crypto"
import { join } from "node:path"
import { Home } from "@gatehouse/core/Home"
import { Entropy, type SpawnId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberSet from "effect/FiberSet"
import { Artifacts } from "../Artifacts.ts"
import { hostIdentity, markVariable, spawnSeries } from "../identity/SpawnMark.ts"
import { bindStart } from "../identity/StartIdentity.ts"
import { ProcessError, type ProcessFailureReason } from "../ProcessError.ts"
import type { Processes, ProcessesOptions, SpawnOptions } from "../Processes.ts"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { readReport, type SpawnRecord, SpawnRecords } from "../sweep/SpawnRecords.boundary.ts"
import { sweepHome } from "../sweep/Sweep.ts"
import { ProcessTables } from "../table/ProcessTable.ts"
import { markOwnLimits, type StartedChild, startChild } from "./ChildProcess.boundary.ts"
import { type OwnedTree, ownTree } from "./OwnedTree.ts"
import { makePreparation, type Prepared } from "./Preparation.ts"
import { inRealTime } from "./RealTime.boundary.ts"

/** Looks at a fresh child until its start marker can be read (behaviour A13). */
const markerTries = 5
const markerPauseMillis = 10

export const makeProcesses = Effect.fnUntraced(function* (hostOptions: ProcessesOptions) {
  const home = yield* Home
  const artifacts = yield* Artifacts
  const table = yield* ProcessTables
  const entropy = yield* Entropy
  const prepare = makePreparation(yield* Sandbox, home.root, hostOptions.limits ?? {})
  const key = createSecretKey(home.key)
  const folder = join(home.root, "processes")
  const instance = Buffer.from(entropy.bytes(4)).toString("hex")
  const self = hostIdentity(table)
  const series = self === null ? null : spawnSeries(key, self, entropy.bytes(12))
  const chance = entropy.bytes(4)
  const ownGroup = table.status(table.self)?.group ?? 0

  const fibers = yield* FiberSet.make<unknown, unknown>()
  const fork = yield* inRealTime(FiberSet.runtime(fibers)())
  const owned = new Map<SpawnId, OwnedTree>()
  /** Children that show no start marker yet; all others are owned in the step that starts them. */
  let starting = 0
  let closed = false
  let records: SpawnRecords | null = null

  /** Everything that must hold before a start, in one step: this is the hot path. */
  const admit = (options: SpawnOptions): Either.Either<Admitted, ProcessError> => {
    if (closed) return Either.left(refusedByShutdown)
    if (table.missing !== null) {
      return Either.left(failure("unsupported", table.missing, "Run the host on Linux or macOS"))
    }
    if (self === null || series === null) {
      return Either.left(failure("identity", "the host cannot read its own start marker", "Make /proc readable"))
    }
    const prepared = prepare(options)
    if (Either.isLeft(prepared)) return Either.left(prepared.left)
    const { spawnId, mark } = series.next()
    const begun: SpawnRecord = {
      spawnId,
      label: options.label,
      pid: null,
      start: null,
      startedAt: null,
      begunAt: table.now(),
      limits: markOwnLimits(table, chance)
    }
    try {
      records ??= new SpawnRecords(folder, self, instance)
      return Either.right({ ...prepared.right, spawnId, mark, records, begun, slot: records.begin(begun) })
    } catch (error) {
      return Either.left(notRecorded(error))
    }
  }

  const observe = (child: StartedChild, spawnId: SpawnId, exited: boolean): Bound | null => {
    const status = table.status(child.pid)
    const verdict = bindStart(spawnId, status?.start ?? null, exited)
    return verdict.bind === "accepted" ? { start: verdict.start, startedAt: status?.startedAt ?? 0 } : null
  }

  /** For a child that shows no start marker at once: looks again, and undoes it where there is none to be had. */
  const observeAgain = Effect.fnUntraced(function* (child: StartedChild, spawnId: SpawnId) {
    let exited = false
    child.onExit(() => (exited = true))
    for (let tried = 1; tried < markerTries; tried++) {
      yield* inRealTime(Effect.sleep(markerPauseMillis))
      const bound = observe(child, spawnId, exited)
      if (bound !== null) return bound
    }
    child.undo()
    return yield* failure(
      "identity",
      "no start marker could be read for the process, so it was ended",
      "Make /proc readable for the host",
      true
    )
  })

  const own = (
    options: SpawnOptions,
    admitted: Admitted,
    child: StartedChild,
    bound: Bound
  ): Either.Either<OwnedTree, ProcessError> => {
    const { begun, spawnId, mark, slot, records } = admitted
    try {
      records.started(slot, { ...begun, pid: child.pid, ...bound })
    } catch (error) {
      child.undo()
      records.release(slot)
      return Either.left(notRecorded(error))
    }
    const tree = ownTree(
      { table, artifacts, ownGroup, fork },
      {
        spawnId,
        child,
        tree: { spawnId, leader: child.pid, ...bound, mark, known: new Map(), leaderEndedAt: null },
        options,
        unsupported: admitted.unsupported,
        sandbox: admitted.sandbox,
        onSettled: (gone) => {
          owned.delete(spawnId)
          if (gone) records.release(slot)
        }
      }
    )
    owned.set(spawnId, tree)
    return Either.right(tree)
  }

  const start = (options: SpawnOptions): Effect.Effect<OwnedTree, ProcessError> =>
    Effect.suspend(() => {
      const admitted = admit(options)
      if (Either.isLeft(admitted)) return admitted.left
      const { invocation, mark, records, slot, spawnId } = admitted.right
      const forget = Effect.sync(() => records.release(slot))
      const child = startChild({
        ...invocation,
        cwd: options.cwd,
        environment: { ...options.environment, [markVariable]: mark },
        stdin: options.stdin === null ? "end" : "pipe"
      })
      if (Either.isLeft(child)) return Effect.zipRight(forget, child.left)
      const bound = observe(child.right, spawnId, false)
      if (bound !== null) return own(options, admitted.right, child.right, bound)
      starting += 1
      return observeAgain(child.right, spawnId).pipe(
        Effect.tapError(() => forget),
        Effect.flatMap((it) => own(options, admitted.right, child.right, it)),
        Effect.ensuring(Effect.sync(() => (starting -= 1)))
      )
    })

  const shutdown = Effect.gen(function* () {
    closed = true
    // Starts that are under way become owned first, or fail.
    while (starting > 0) yield* inRealTime(Effect.sleep(markerPauseMillis))
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
    spawn: (options) => Effect.acquireRelease(start(options), (tree) => tree.release),
    shutdown,
    sweep: inRealTime(sweepHome({ table, key, folder, ownGroup, instance })),
    lastSweep: Effect.try({ try: () => readReport(folder), catch: (error) => notRecorded(error) })
  }
  return service
})

/** Where and when a child began to be what it is. */
interface Bound {
  readonly start: string
  readonly startedAt: number
}

/** A spawn that may start. */
interface Admitted extends Prepared {
  readonly spawnId: SpawnId
  readonly mark: string
  readonly records: SpawnRecords
  readonly begun: SpawnRecord
  readonly slot: number
}

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
