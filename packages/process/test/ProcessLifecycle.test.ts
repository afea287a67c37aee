import { assert, describe, it } from "@effect/vitest"
import { afterSignal, bindStart, maySignal } from "@gatehouse/process/identity/StartIdentity"
import * as Effect from "effect/Effect"
import { beforeAll } from "vitest"
import { loadCases } from "../../../test/vectors/run.mjs"
import { faultsOf, type LifecycleCase } from "./LifecycleHarness.ts"

const cases: ReadonlyArray<LifecycleCase> = loadCases("process-lifecycle")
/** Cases that measure the host itself run alone; the others share the time that they mostly spend asleep. */
const isAlone = ({ expect, input }: LifecycleCase): boolean =>
  input.parallel !== undefined || "leaked_descriptors" in expect || "max_rss_growth_mb" in expect
const run = cases.filter(({ kind }) => kind !== "identity")
const faults = new Map<string, ReadonlyArray<string>>()

describe("processes behave as the shared cases say", () => {
  beforeAll(
    () =>
      Effect.gen(function* () {
        const note = (test: LifecycleCase) => Effect.map(faultsOf(test), (found) => faults.set(test.id, found))
        yield* Effect.forEach(
          run.filter((test) => !isAlone(test)),
          note,
          { concurrency: 6 }
        )
        yield* Effect.forEach(run.filter(isAlone), note)
      }).pipe(Effect.runPromise),
    120_000
  )

  for (const test of run) {
    it(`${test.kind} ${test.id}`, () => {
      assert.deepStrictEqual(faults.get(test.id), [])
    })
  }
})

/** Input and expectation of the cases of kind `identity`. */
interface IdentityCase {
  readonly id: string
  readonly input: {
    readonly recorded: {
      readonly pid: number
      readonly spawn_id: string
      readonly start: string | null
      readonly pgid: number
    }
    readonly observed: { readonly pid: number; readonly start: string | null; readonly pgid: number } | null
    readonly handle_spawn_id: string
    readonly kill_error?: string
    readonly exited_before_observation?: boolean
    readonly group_alive?: boolean
    readonly leader_exited?: boolean
  }
  readonly expect: Readonly<Record<string, unknown>>
}

describe("a recorded identity decides whether a signal is sent", () => {
  const identities: ReadonlyArray<IdentityCase> = loadCases("process-lifecycle").filter(
    ({ kind }: LifecycleCase) => kind === "identity"
  )
  for (const { id, input, expect } of identities) {
    it(id, () => {
      const { recorded, observed } = input
      const verdict = maySignal({
        recorded: { pid: recorded.pid, spawnId: recorded.spawn_id, start: recorded.start, group: recorded.pgid },
        observed: observed === null ? null : { pid: observed.pid, start: observed.start, group: observed.pgid },
        handleSpawnId: input.handle_spawn_id,
        leaderExited: input.leader_exited ?? false,
        groupKnown: input.group_alive ?? false,
        ownGroup: 1
      })
      const bound = bindStart(recorded.spawn_id, recorded.start, input.exited_before_observation ?? false)
      const answers: Record<string, unknown> = {
        signal_sent: verdict.signal,
        target: verdict.signal ? verdict.target : null,
        order: verdict.signal ? ["TERM", "KILL"] : [],
        bind: bound.bind,
        process_killed: bound.bind === "refused",
        start_prefix: bound.bind === "accepted" ? bound.start.split(":")[0] : null,
        status: input.kill_error === undefined ? null : afterSignal(input.kill_error === "ESRCH" ? "gone" : "refused"),
        status_kept: !verdict.signal
      }
      for (const [field, expected] of Object.entries(expect)) assert.deepStrictEqual(answers[field], expected, field)
    })
  }
})
