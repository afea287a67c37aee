/** Kills hosts with signal 9 at moments of chance, and counts what the next start leaves of them. */

import { type ChildProcess, spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { once } from "node:events"
import type { Readable } from "node:stream"
import { fileURLToPath } from "node:url"
import { Processes } from "@gatehouse/process/Processes"
import * as Effect from "effect/Effect"
import { carriers, endCarriers, liveAt, temporaryFolder } from "./Support.ts"

const program = fileURLToPath(new URL("fixtures/busy-host.mjs", import.meta.url))

export interface KillReport {
  readonly kills: number
  /** Live processes of killed hosts after the next start. */
  readonly left: number
  /** Processes that a sweep ended, over all rounds. */
  readonly ended: number
  /** Whether a live host of the same home, and a stranger, kept everything of theirs. */
  readonly othersUntouched: boolean
}

/** `rounds` times `hosts` hosts of one home are killed within `millis` of their first start. */
export const killHosts = (rounds: number, hosts: number, millis: number): Effect.Effect<KillReport> =>
  Effect.scoped(
    Effect.gen(function* () {
      const root = yield* temporaryFolder
      const folder = yield* temporaryFolder
      const living = yield* startHost(root, folder, 7)
      const stranger = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("/bin/sleep", ["300"], {
            detached: true,
            stdio: "ignore",
            env: { GATEHOUSE_SPAWN: "spawn_00.1-1-x.00" }
          })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      yield* Effect.promise(() => once(living.output, "data"))
      const own = new Set(carriers(living.marker).filter((pid) => pid !== living.child.pid))
      let left = 0
      let ended = 0
      for (let round = 0; round < rounds; round++) {
        const doomed = yield* Effect.forEach(Array.from({ length: hosts }), () => startHost(root, folder, 60), {
          concurrency: hosts
        })
        yield* Effect.forEach(doomed, ({ child }) => killWithin(child, millis), { concurrency: hosts, discard: true })
        const report = yield* Effect.scoped(
          Effect.provide(
            Effect.flatMap(Processes, ({ sweep }) => sweep),
            liveAt(root)
          )
        ).pipe(Effect.orDie)
        ended += report?.ended.length ?? 0
        for (const { marker } of doomed) left += carriers(marker).length
      }
      const kept = [...own].filter((pid) => carriers(living.marker).includes(pid))
      const othersUntouched =
        own.size > 0 && kept.length === own.size && stranger.exitCode === null && stranger.signalCode === null
      return { kills: rounds * hosts, left, ended, othersUntouched }
    })
  )

interface RunningHost {
  readonly child: ChildProcess
  readonly marker: string
  readonly output: Readable
}

const startHost = (root: string, folder: string, starts: number) =>
  Effect.acquireRelease(
    Effect.promise(async (): Promise<RunningHost> => {
      const marker = `600.${randomInt(1e9, 1e10)}`
      const child = spawn(process.execPath, [program, root, folder, marker, String(starts)], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      await once(child.stdout, "data")
      return { child, marker, output: child.stdout }
    }),
    ({ child, marker }) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        endCarriers(marker)
      })
  )

const killWithin = (child: ChildProcess, millis: number) =>
  Effect.zipRight(
    Effect.sleep(randomInt(millis)),
    Effect.promise(async () => {
      child.kill("SIGKILL")
      await once(child, "exit")
    })
  )
