/** The service {@link Artifacts} over files. */

import { join } from "node:path"
import { Home } from "@gatehouse/core/Home"
import { ArtifactId, Entropy, makeIdentifier } from "@gatehouse/core/Identifiers"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { ArtifactError } from "../ArtifactError.ts"
import type { ArtifactSummary, Artifacts, ArtifactsOptions, ArtifactWriter } from "../Artifacts.ts"
import { fateOf, formatHost, hostIdentity, parseHost } from "../identity/SpawnMark.ts"
import { ProcessTables } from "../table/ProcessTable.ts"
import * as files from "./ArtifactFiles.boundary.ts"
import { clearance, defaultQuotaBytes } from "./Quota.ts"

/** How much may be written before the disk is counted again: other hosts of this home write as well. */
const countEveryBytes = 16 * 1024 * 1024

export const makeArtifacts = Effect.fnUntraced(function* (options: ArtifactsOptions) {
  const home = yield* Home
  const entropy = yield* Entropy
  const table = yield* ProcessTables
  const root = join(home.root, "artifacts")
  const quota = options.quotaBytes ?? defaultQuotaBytes
  const self = hostIdentity(table)
  const owner = self === null ? "unknown" : formatHost(self)
  /** Bytes of the home that may still be written before it has to be counted again. */
  let allowance = 0

  const isInUse = ({ owner, bytes }: files.About): boolean => {
    const host = bytes === null ? parseHost(owner) : null
    return host !== null && fateOf(host, table) !== "dead"
  }

  const summaries = (): ReadonlyArray<ArtifactSummary> =>
    files.readArtifacts(root).map(({ id, about, size }) => ({
      id: ArtifactId(id),
      name: about.name,
      mediaType: about.mediaType,
      bytes: about.bytes ?? size,
      sha256: about.sha256 ?? "",
      createdAt: about.createdAt,
      inUse: isInUse(about)
    }))

  const clear = (bytes: number) => {
    const { remove, remaining } = clearance(summaries(), bytes)
    for (const { id } of remove) files.removeArtifact(root, id)
    return { removed: remove, remaining }
  }

  /** Makes room for `bytes` more; false where what is in use leaves none. */
  const reserve = (bytes: number): boolean => {
    if (allowance < bytes) {
      const { remaining } = clear(Math.max(quota - bytes, 0))
      allowance = Math.min(Math.max(quota - remaining, 0), countEveryBytes)
    }
    if (allowance < bytes) return false
    allowance -= bytes
    return true
  }

  const create: Artifacts["Type"]["create"] = Effect.fnUntraced(function* (name, mediaType) {
    if (!plainName.test(name)) {
      return yield* failure(
        "open",
        "name: an artifact is named by one plain file name",
        "Use letters, digits, . _ and -"
      )
    }
    const id = ArtifactId(makeIdentifier("artifact", entropy))
    const about: files.About = {
      name,
      mediaType,
      createdAt: yield* Clock.currentTimeMillis,
      owner,
      bytes: null,
      sha256: null
    }
    const finish = (file: files.ArtifactFile) =>
      attempt("write", () => {
        const { bytes, sha256 } = file.close()
        files.writeAbout(root, id, { ...about, bytes, sha256 })
        return { id, name, mediaType, bytes, sha256 }
      })
    const file = yield* Effect.acquireRelease(
      attempt("open", () => {
        files.prepareRoot(root)
        return files.createArtifactFile(root, id, about)
      }),
      (it) => (it.isOpen ? Effect.ignore(finish(it)) : Effect.void)
    )
    const room = (bytes: number) => attempt("write", () => reserve(bytes))
    const writer: ArtifactWriter = {
      id,
      write: (bytes) => Effect.flatMap(room(bytes.length), (fits) => (fits ? written(file, bytes) : overQuota(quota))),
      finish: finish(file)
    }
    return writer
  })

  const find = (id: ArtifactId): Effect.Effect<files.StoredArtifact, ArtifactError> =>
    Effect.suspend(() => {
      const stored = identifier.test(id) ? files.readArtifact(root, id) : null
      return stored === null
        ? failure("not_found", "id: there is no such artifact", "List them with: gatehouse artifacts list")
        : Effect.succeed(stored)
    })

  const service: Artifacts["Type"] = {
    create,
    list: attempt("open", summaries),
    locate: (id) => Effect.map(find(id), ({ about }) => join(root, id, about.name)),
    prune: (bytes) =>
      attempt("write", () => {
        allowance = 0
        return clear(bytes).removed
      })
  }
  return service
})

/** One component, that is neither hidden nor a way up. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const identifier = /^artifact_[0-9a-f]{32}$/

const written = (file: files.ArtifactFile, bytes: Uint8Array): Effect.Effect<void, ArtifactError> =>
  Effect.async((resume) =>
    file.write(bytes, (error) => resume(error === null ? Effect.void : fromSystem("write", error)))
  )

const overQuota = (quota: number): ArtifactError =>
  failure(
    "quota",
    `the artifacts of this home would take more than ${quota} bytes, and all that are left are in use`,
    "Remove some with: gatehouse artifacts prune, or raise the quota"
  )

const failure = (reason: ArtifactError["reason"], message: string, remedy: string): ArtifactError =>
  new ArtifactError({ reason, message, remedy })

const attempt = <A>(reason: "open" | "write", work: () => A): Effect.Effect<A, ArtifactError> =>
  Effect.try({ try: work, catch: (error) => fromSystem(reason, error) })

const fromSystem = (reason: "open" | "write", error: unknown): ArtifactError => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "no code"
  const [what, remedy] = explanations[code] ?? [
    `the file system refused (${code})`,
    "Make the folder artifacts of the Gatehouse home a writable folder of your own"
  ]
  return failure(reason, `the full output could not be kept: ${what}`, remedy)
}

const explanations: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  ENOSPC: ["the disk is full", "Free space, or remove artifacts with: gatehouse artifacts prune"],
  EDQUOT: ["the disk quota of the user is used up", "Free space, or remove artifacts with: gatehouse artifacts prune"],
  EFBIG: ["the file would be larger than the system allows", "Write less, or raise the limit (ulimit -f)"],
  EROFS: ["the home of Gatehouse is on a read-only mount", "Mount it writable, or choose another home"],
  EACCES: ["the home of Gatehouse may not be written", "Give its folder to the user that runs the host"],
  EMFILE: ["the host has as many open files as it may have", "Raise the limit of open files (ulimit -n)"]
}
