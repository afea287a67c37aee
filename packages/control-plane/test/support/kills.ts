/** Kills hosts in the middle of their work, and says what became of it. */

import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { Store } from "@gatehouse/control-plane/Store"
import { CallId } from "@gatehouse/core/Identifiers"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { child } from "./children.ts"
import { homeAt, temporaryHome } from "./homes.ts"

export interface KillReport {
  readonly reported: number
  /** Outcomes that were reported and are not there as they were reported. */
  readonly lost: number
  /** Calls that are recorded as succeeded and whose effect is not there. */
  readonly invented: number
  /** Effects that are there and whose call has no record, or none with an end. */
  readonly endless: number
  readonly indeterminate: number
  readonly sound: boolean
}

/** One host with eight sessions, killed after `millis`, and the next host's look at its home. */
export const killOnce = (millis: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const root = yield* temporaryHome
      const effects = join(root, "effects")
      const host = yield* child("crashing-host.mjs", [root, effects, "8"])
      while (!existsSync(effects)) yield* Effect.sleep(2)
      yield* Effect.sleep(millis)
      host.process.kill("SIGKILL")
      yield* Effect.promise(() => host.ended)
      return yield* Effect.provide(inspect(host.lines, effects), Layer.provide(controlPlaneLayer, homeAt(root)))
    })
  )

const inspect = (lines: ReadonlyArray<string>, effects: string) =>
  Effect.gen(function* () {
    const records = yield* EffectRecords
    const principals = yield* Principals
    const operator = yield* principals.operator("looks at what a killed host left")
    const reported = lines.filter((line) => line.startsWith("settled ")).map((line) => line.slice("settled ".length))
    const done = readFileSync(effects, "utf8")
      .split("\n")
      .filter((line) => line !== "")
    const ran = new Set(done)
    const ends = yield* Effect.forEach(done, (call) => records.get(operator, CallId(call)))
    const kept = yield* Effect.forEach(reported, (call) => records.get(operator, CallId(call)))
    const succeeded = yield* (yield* Store).read(
      { text: "SELECT call FROM effects WHERE status = 'succeeded'", values: [] },
      (row) => String(row["call"])
    )
    const integrity = yield* (yield* Store).integrity
    const chain = yield* (yield* EventLog).verify(operator)
    const report: KillReport = {
      reported: reported.length,
      lost: kept.filter((record) => record?.status !== "succeeded" || record.recovered).length,
      invented: succeeded.filter((call) => !ran.has(call)).length,
      endless: ends.filter((record) => record === null || record.settledAt === null).length,
      indeterminate: ends.filter((record) => record?.status === "indeterminate").length,
      sound: integrity.join() === "ok" && chain.sound
    }
    return report
  })
