/** What the tests of this package share: a throw-away home, spawn options with the usual values, a look at survivors. */

import { randomBytes } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Home } from "@gatehouse/core/Home"
import { Artifacts, type ArtifactsOptions } from "@gatehouse/process/Artifacts"
import { Processes, type ProcessesOptions, type SpawnOptions } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** An empty folder that is removed with the scope. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "gatehouse-process-")))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

export const homeAt = (root: string, key: Uint8Array = new Uint8Array(32)): Layer.Layer<Home> =>
  Layer.succeed(Home, { root, key })

/** Real processes and artifacts on a home of their own. */
export const liveAt = (root: string, options: ProcessesOptions & ArtifactsOptions = {}) =>
  Processes.layer(options).pipe(Layer.provideMerge(Artifacts.layer(options)), Layer.provideMerge(homeAt(root)))

/** Runs `use` with live services on an empty home, and with a folder to work in. */
export const live = <A, E>(
  use: (folder: string) => Effect.Effect<A, E, Processes | Artifacts | Home>,
  options: ProcessesOptions & ArtifactsOptions = {}
): Effect.Effect<A, E> =>
  Effect.scoped(
    Effect.flatMap(Effect.all([temporaryFolder, temporaryFolder]), ([root, folder]) =>
      Effect.provide(use(folder), liveAt(root, options))
    )
  )

/** `/bin/sh -c script` in `cwd`, with nothing special about it. */
export const shell = (script: string, cwd: string, more: Partial<SpawnOptions> = {}): SpawnOptions => ({
  command: "/bin/sh",
  args: ["-c", script],
  cwd,
  environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
  stdin: null,
  graceMillis: 250,
  limits: {},
  sandbox: "none",
  mask: null,
  artifact: false,
  onOutput: null,
  label: "test",
  ...more
})

/** A text that no other process has in its arguments or environment. */
export const freshMarker = (): string => `GH_TEST_${randomBytes(8).toString("hex")}`

/** Live processes that carry `marker`, this one excepted. */
export const carriers = (marker: string): ReadonlyArray<number> =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => /^State:\s+[^ZX]/m.test(read(`/proc/${pid}/status`)))
    .filter((pid) => read(`/proc/${pid}/environ`).includes(marker) || read(`/proc/${pid}/cmdline`).includes(marker))
    .map(Number)

const read = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Ends what a broken implementation left behind, so that one failure stays one failure. */
export const endCarriers = (marker: string): void => {
  for (const pid of carriers(marker)) {
    try {
      process.kill(pid, "SIGKILL")
    } catch {
      // It has gone by itself.
    }
  }
}
