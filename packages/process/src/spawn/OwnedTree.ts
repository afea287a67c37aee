/**
 * Owns one started child until nothing of its tree is left: drains it, waits for its leader or for being asked to end
 * it, ends what is there, and says once what was seen.
 */
import type { ArtifactReference } from "@gatehouse/core/AdapterOutcome"
import type { SpawnId } from "@gatehouse/core/Identifiers"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FiberId from "effect/FiberId"
import type { ArtifactError } from "../ArtifactError.ts"
import type { Artifacts } from "../Artifacts.ts"
import type { ForkPump } from "../output/ArtifactPump.ts"
import { readToEnd } from "../output/LastWords.boundary.ts"
import { OwnedStream } from "../output/OwnedStream.ts"
import { ProcessError } from "../ProcessError.ts"
import type { EndCause, OwnedProcess, ProcessExit, SpawnOptions } from "../Processes.ts"
import type { ProcessTable } from "../table/ProcessTable.ts"
import { type EndOptions, type EndReport, endTree, goneReport, isAlone, placesToLook } from "../tree/EndTree.ts"
import type { ProcessTree } from "../tree/ProcessTree.ts"
import type { LeaderExit, StartedChild } from "./ChildProcess.boundary.ts"
import { monotonicMillis } from "./RealTime.boundary.ts"

/** What all trees of one host share. */
export interface TreeHost {
  readonly table: ProcessTable
  readonly artifacts: Artifacts["Type"]
  readonly ownGroup: number
  readonly fork: ForkPump
}

export interface TreeRequest {
  readonly spawnId: SpawnId
  readonly child: StartedChild
  readonly tree: ProcessTree
  readonly options: SpawnOptions
  readonly unsupported: ReadonlyArray<string>
  readonly sandbox: ProcessExit["sandbox"]
  /** Called once, when it is over; `gone` where nothing is left. */
  readonly onSettled: (gone: boolean) => void
}

export interface OwnedTree extends OwnedProcess {
  /** Ends it, if it has not ended; what was seen is left to `exit`. */
  readonly release: Effect.Effect<void>
  readonly endBecause: (cause: EndCause) => Effect.Effect<ProcessExit, ProcessError>
}

/** How long the news of the leader's end may take after the table showed it. */
const newsMillis = 1000

/** Owns a child from the moment of its start: called in the same breath, no byte and no end is missed. */
export const ownTree = (host: TreeHost, request: TreeRequest): OwnedTree => {
  const { child, tree, options } = request
  const startedMillis = monotonicMillis()
  const settled = Deferred.unsafeMake<ProcessExit, ProcessError>(FiberId.none)
  const leaderSeen = Deferred.unsafeMake<void>(FiberId.none)
  let leader: LeaderExit | null = null
  let cause: EndCause | null = null
  let isSettled = false

  const ending: EndOptions = {
    table: host.table,
    tree,
    graceMillis: options.graceMillis,
    leaderExited: () => leader !== null,
    pids: () => placesToLook(host.table, tree.leader, monotonicMillis() - startedMillis),
    ownGroup: host.ownGroup,
    spare: nobody
  }

  /** Once, whoever asks and however often. A command that left nobody behind needs no fiber to end. */
  const begin = (why: EndCause): void => {
    if (cause !== null) return
    cause = why
    if (isAlone(ending)) readLastWords(goneReport)
    else host.fork(Effect.map(endWithNews, readLastWords))
  }
  const endWithNews = Effect.zipLeft(
    endTree(ending),
    Effect.suspend(() => (leader === null ? Effect.timeoutOption(Deferred.await(leaderSeen), newsMillis) : Effect.void))
  )
  const readLastWords = (report: EndReport): void =>
    readToEnd(streams, (released) => {
      child.closeStdin()
      if (streams.some((stream) => stream.isStored)) {
        host.fork(Effect.map(storedArtifacts, (artifacts) => conclude(report, released, artifacts)))
      } else conclude(report, released, [])
    })
  const storedArtifacts = Effect.suspend(() => Effect.forEach(streams, (stream) => Effect.either(stream.artifact)))

  const conclude = (report: EndReport, released: boolean, artifacts: ReadonlyArray<StoredArtifact>): void => {
    const exit: ProcessExit = {
      cause: cause ?? "leader",
      exitCode: leader?.exitCode ?? null,
      signal: leader?.signal ?? null,
      stdout: stdout.tail(),
      stderr: stderr.tail(),
      artifacts: artifacts.flatMap((it) => (Either.isRight(it) && it.right !== null ? [it.right] : [])),
      confirmedGone: report.confirmed && released,
      survivors: report.survivors.map(({ pid, name }) => ({ pid, name })),
      unsupported: request.unsupported,
      sandbox: request.sandbox
    }
    isSettled = true
    Deferred.unsafeDone(
      settled,
      judge(
        exit,
        streams.some((stream) => stream.failed),
        artifacts
      )
    )
    request.onSettled(report.confirmed)
  }

  const owner = { artifacts: host.artifacts, fork: host.fork, onFailure: () => begin("failure") }
  const stdout = new OwnedStream(owner, "stdout", child.stdout, options)
  const stderr = new OwnedStream(owner, "stderr", child.stderr, options)
  const streams = [stdout, stderr]
  child.onExit((exit) => {
    leader = exit
    tree.leaderEndedAt = afterTick(host.table.now())
    Deferred.unsafeDone(leaderSeen, Effect.void)
    begin("leader")
  })
  if (typeof options.stdin === "string") {
    host.fork(Effect.ensuring(child.write(Buffer.from(options.stdin)), Effect.sync(child.closeStdin)))
  }

  const exit = Deferred.await(settled)
  const endBecause = (why: EndCause) =>
    Effect.suspend(() => {
      begin(why)
      return exit
    })
  return {
    pid: child.pid,
    spawnId: request.spawnId,
    exit,
    leaderExit: Effect.map(Deferred.await(leaderSeen), () => leader ?? { exitCode: null, signal: null }),
    end: endBecause("asked"),
    endBecause,
    release: Effect.suspend(() => (isSettled ? Effect.void : Effect.exit(endBecause("asked")))),
    write: (bytes) => Effect.flatMap(child.write(bytes), (taken) => (taken ? Effect.void : nobodyReads)),
    closeStdin: Effect.sync(child.closeStdin),
    tails: Effect.sync(() => ({ stdout: stdout.tail(), stderr: stderr.tail() }))
  }
}

/** The table rounds down. */
const afterTick = (moment: number | null): number | null => (moment === null ? null : moment + 1)

type StoredArtifact = Either.Either<ArtifactReference | null, ArtifactError>

const nobody: ReadonlySet<number> = new Set()

/** A command whose output could not be kept has failed, whatever it says itself. */
const judge = (
  exit: ProcessExit,
  outputFailed: boolean,
  artifacts: ReadonlyArray<StoredArtifact>
): Effect.Effect<ProcessExit, ProcessError> => {
  if (outputFailed) {
    return new ProcessError({
      reason: "output",
      message: "the output could not be masked or shown, so the command was ended and what followed was not kept",
      remedy: "Look into the host's log; this is a fault of the host",
      spawned: true,
      exit
    })
  }
  for (const artifact of artifacts) {
    if (Either.isRight(artifact)) continue
    const { message, remedy } = artifact.left
    return new ProcessError({ reason: "artifact", message, remedy, spawned: true, exit })
  }
  return Effect.succeed(exit)
}

const nobodyReads = new ProcessError({
  reason: "stdin",
  message: "the process does not read its standard input any more",
  remedy: "Start it again",
  spawned: true,
  exit: null
})
