/** Reads agent cores from disk. An unchanged core is the same frozen object every time. */
import { CoreRevision } from "@gatehouse/core/Identifiers"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { AgentCore } from "./cores/AgentCore.ts"
import { buildCore } from "./cores/BuildCore.ts"
import { CoreError, invalidCore } from "./cores/CoreError.ts"
import { nearestCore, readCore, scanCore } from "./cores/CoreTree.boundary.ts"
import { gitRevision } from "./cores/GitRevision.boundary.ts"

export class AgentCores extends Context.Tag("@gatehouse/catalog/AgentCores")<
  AgentCores,
  {
    /**
     * The core in `folder` as it is now. While nothing in it changes, this is a look at the folder, and the same
     * object. Fails with every fault of every file at once.
     */
    readonly load: (folder: string) => Effect.Effect<AgentCore, CoreError>
    /** The nearest folder with an `agent.yaml`, from the absolute path `from` upwards. */
    readonly find: (from: string) => Effect.Effect<string, CoreError>
  }
>() {
  static readonly layer: Layer.Layer<AgentCores> = Layer.sync(AgentCores, () => {
    const kept = new Map<string, KeptCore>()
    return {
      load: (folder) => Effect.flatMap(Clock.currentTimeMillis, (now) => load(folder, now, kept)),
      find: (from) =>
        Effect.suspend(() => {
          const folder = nearestCore(from)
          return folder === null ? Effect.fail(nowhere(from)) : Effect.succeed(folder)
        })
    }
  })
}

interface KeptCore {
  readonly signature: string
  readonly commit: string | null
  /** Whether the look was late enough after the last change to tell a further one from it. */
  readonly settled: boolean
  readonly core: AgentCore
}

/** Cores that are kept at once; a host has one, tests and delegation a few. */
const keptLimit = 16

/**
 * Two changes within one tick of the file system's clock look like one. The coarsest tick in use is 2 s (FAT); ext4
 * and its like have 4 ms. A look this close to a change is not trusted the next time.
 */
const settlingMillis = 2_000

const load = (folder: string, now: number, kept: Map<string, KeptCore>): Either.Either<AgentCore, CoreError> =>
  Either.gen(function* () {
    const scan = yield* scanCore(folder)
    const commit = gitRevision(scan.root)
    const known = kept.get(scan.root)
    if (known?.settled === true && known.signature === scan.signature && known.commit === commit) return known.core

    const content = yield* readCore(scan)
    const revision = revisionOf(commit, content.digest)
    const core =
      known?.core.revision === revision
        ? known.core
        : yield* Either.mapLeft(buildCore({ ...content, root: scan.root, revision }), (faults) =>
            invalidCore(scan.root, faults)
          )
    kept.delete(scan.root)
    kept.set(scan.root, {
      signature: scan.signature,
      commit,
      settled: now - scan.changedAt > settlingMillis,
      core
    })
    for (const oldest of kept.keys()) {
      if (kept.size <= keptLimit) break
      kept.delete(oldest)
    }
    return core
  })

/** `git:<commit>+<digest>` in a repository, else `tree:<digest>`; 32 and 64 hexadecimal digits of the digest. */
const revisionOf = (commit: string | null, digest: string): CoreRevision =>
  CoreRevision(commit === null ? `tree:${digest}` : `git:${commit}+${digest.slice(0, 32)}`)

const nowhere = (from: string): CoreError =>
  new CoreError({
    reason: "missing",
    root: from,
    message: "No agent.yaml in this folder or in any above it",
    remedy: "name the folder that holds agent.yaml with --core, or make one with `gatehouse init`",
    faults: []
  })
