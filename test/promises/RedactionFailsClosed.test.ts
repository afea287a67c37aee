/** Promise 3, where redaction or the store fails: one fixed failed result, and nothing raw anywhere. */

import { assert, describe, it } from "@effect/vitest"
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { Store } from "@gatehouse/control-plane/Store"
import { StoreError } from "@gatehouse/control-plane/StoreError"
import type { EffectResult } from "@gatehouse/core/EffectResult"
import { Home } from "@gatehouse/core/Home"
import { isJsonObject } from "@gatehouse/core/Json"
import { RuntimeEvents } from "@gatehouse/core/RuntimeEvents"
import { redactionFailedText, viewNames } from "@gatehouse/core/View"
import { runCanary } from "@gatehouse/host/canary/RunCanary"
import { type HostOptions, hostServicesLayer, redactorLayer } from "@gatehouse/host/Host"
import { EffectRuntime } from "@gatehouse/host/runtime/EffectRuntime"
import { Redactor } from "@gatehouse/policy/redaction/Redactor"
import type { FaultStage } from "@gatehouse/policy/redaction/RedactorLive"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const path = process.env["PATH"] ?? "/usr/bin:/bin"
const minute = 60_000

const faultyRedactor = (stage: FaultStage) => (options: HostOptions) =>
  Layer.unwrapEffect(
    Effect.map(Home, ({ key }) =>
      Redactor.layer({ homeKey: key, hostEnvironment: options.environment, faults: { stage } })
    )
  )

/** The composed host, which tells every result of its calls. */
const hostWith =
  (seen: Array<EffectResult>, redactor: typeof redactorLayer, store: typeof controlPlaneLayer = controlPlaneLayer) =>
  (options: HostOptions) =>
    Layer.effect(
      EffectRuntime,
      Effect.map(EffectRuntime, (live) => ({
        execute: (request, turn) =>
          Effect.tap(live.execute(request, turn), (result) => Effect.sync(() => void seen.push(result)))
      }))
    ).pipe(
      Layer.provideMerge(hostServicesLayer(options)),
      Layer.provideMerge(store),
      Layer.provideMerge(redactor(options))
    )

const isFixed = (result: EffectResult): boolean =>
  result.status === "failed" && viewNames.every((name) => isFixedView(result.views[name]))
const isFixedView = (view: EffectResult["views"]["model"]): boolean =>
  view.text === redactionFailedText && view.data === undefined

/** Calls whose arguments or output hold secrets: an effect of each kind of source. */
const carriers: ReadonlySet<string> = new Set(["read_file", "write_file", "terminal", "betray", "canary__text"])

describe("where redaction fails", () => {
  const steps: ReadonlyArray<FaultStage> = [
    "copy",
    "serialize",
    "collect",
    "mask",
    "render",
    ...viewNames.map((name): FaultStage => `render:${name}`)
  ]
  for (const stage of steps) {
    it.live(
      `at ${stage}, every result that holds a secret is the one fixed result, and nothing raw is anywhere`,
      () =>
        Effect.gen(function* () {
          const seen: Array<EffectResult> = []
          const { leaks } = yield* runCanary({
            path,
            host: hostWith(seen, faultyRedactor(stage)),
            calls: ({ expected, tool }) => carriers.has(tool) && expected !== "timed_out"
          })
          assert.deepStrictEqual(leaks, [])
          const fixed = seen.filter(isFixed)
          assert.isAbove(fixed.length, 15)
          // The others had nothing to hide, so that this step was not taken.
          const others = seen.filter((result) => !isFixed(result) && !hidesNothing(result))
          assert.deepStrictEqual(others, [])
          assert.deepStrictEqual([...new Set(fixed.map(({ error }) => error?._tag))], ["SettleError"])
        }),
      minute
    )
  }

  const hidesNothing = ({ views }: EffectResult): boolean => !JSON.stringify(views).includes("redact")

  it.live(
    "in a stream, the command ends with it and its result is a failed one",
    () =>
      Effect.gen(function* () {
        const seen: Array<EffectResult> = []
        const { leaks } = yield* runCanary({
          path,
          host: hostWith(seen, faultyRedactor("stream")),
          // In the background the call only starts the task, which fails the same way.
          calls: ({ args, expected, tool }) =>
            tool === "terminal" && expected === "succeeded" && isJsonObject(args) && args["background"] !== true
        })
        assert.deepStrictEqual(leaks, [])
        const commands = seen.filter(({ tool }) => tool === "terminal")
        assert.isAbove(commands.length, 3)
        for (const { status } of commands) assert.strictEqual(status, "failed")
      }),
    minute
  )
})

describe("where a sink fails", () => {
  const broken = new StoreError({ reason: "full", message: "the disk is full", remedy: "free some space" })

  it.live(
    "a store that cannot write keeps effects from starting",
    () =>
      Effect.gen(function* () {
        const seen: Array<EffectResult> = []
        const refusing = Layer.effect(
          EffectRecords,
          Effect.map(EffectRecords, (live) => ({ ...live, intend: () => Effect.fail(broken) }))
        ).pipe(Layer.provideMerge(controlPlaneLayer))
        const { leaks } = yield* runCanary({
          path,
          host: hostWith(seen, redactorLayer, refusing),
          calls: ({ expected, tool }) => carriers.has(tool) && expected === "succeeded"
        })
        assert.deepStrictEqual(leaks, [])
        assert.isAbove(seen.length, 5)
        for (const { error, executionStarted, status } of seen) {
          assert.deepStrictEqual([status, executionStarted, error?._tag], ["failed", false, "SettleError"])
        }
      }),
    minute
  )

  it.live(
    "an outcome that cannot be recorded is nobody's success, and is shown redacted",
    () =>
      Effect.gen(function* () {
        const seen: Array<EffectResult> = []
        const forgetful = Layer.effect(
          EffectRecords,
          Effect.map(EffectRecords, (live) => ({ ...live, settle: () => Effect.fail(broken) }))
        ).pipe(Layer.provideMerge(controlPlaneLayer))
        const { leaks } = yield* runCanary({
          path,
          host: hostWith(seen, redactorLayer, forgetful),
          calls: ({ expected, tool }) => carriers.has(tool) && expected === "succeeded"
        })
        assert.deepStrictEqual(leaks, [])
        for (const { executionStarted, status } of seen) {
          assert.strictEqual(status, executionStarted ? "indeterminate" : "failed")
        }
      }),
    minute
  )

  it.live(
    "events that cannot be written change no result and say nothing raw",
    () =>
      Effect.gen(function* () {
        const seen: Array<EffectResult> = []
        const mute = Layer.effect(
          RuntimeEvents,
          Effect.map(Store, () => ({ publish: () => Effect.ignoreLogged(Effect.fail(broken)) }))
        ).pipe(Layer.provideMerge(controlPlaneLayer))
        const report = yield* runCanary({
          path,
          host: hostWith(seen, redactorLayer, mute),
          calls: ({ expected, tool }) => carriers.has(tool) && expected !== "timed_out"
        })
        assert.deepStrictEqual(report.leaks, [])
        assert.deepStrictEqual(report.unexpected, [])
      }),
    minute
  )
})
