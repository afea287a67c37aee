/**
 * Whoever gives up on a call (its caller, its turn, a deadline), at whatever moment: what became of the effect is recorded
 * first, in words that are true, and an interruption goes on afterwards.
 */

import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { ApprovalRecords } from "@gatehouse/control-plane/approvals/ApprovalRecords"
import { controlPlaneLayer } from "@gatehouse/control-plane/ControlPlane"
import { EffectRecords } from "@gatehouse/control-plane/effects/EffectRecords"
import { EventLog } from "@gatehouse/control-plane/events/EventLog"
import { Principals } from "@gatehouse/control-plane/principals/Principals"
import { type AdapterOutcome, textOutput } from "@gatehouse/core/AdapterOutcome"
import type { Authorized } from "@gatehouse/core/Authorized"
import { opaque } from "@gatehouse/core/EffectAdapter"
import type { AdapterError } from "@gatehouse/core/EffectError"
import type { EffectPlan } from "@gatehouse/core/EffectPlan"
import type { SourceEntry } from "@gatehouse/core/EffectSource"
import { CallId } from "@gatehouse/core/Identifiers"
import type { Status } from "@gatehouse/core/Status"
import { hostServicesLayer, redactorLayer } from "@gatehouse/host/Host"
import { homeLayer } from "@gatehouse/host/home/HostHome.boundary"
import { EffectRuntime } from "@gatehouse/host/runtime/EffectRuntime"
import { decodeSettings } from "@gatehouse/host/settings/ReadHostSettings.boundary"
import type { Turn } from "@gatehouse/host/turns/Turns"
import { ApprovalPrompter } from "@gatehouse/policy/approvals/ApprovalPrompter"
import { SecretBinder } from "@gatehouse/policy/secrets/SecretBinder"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { admitTestTurn, generousCore, type TestHost, testPlace } from "../support/TestHost.ts"

/** An effect that a test leads. */
interface Led {
  readonly plan?: Partial<EffectPlan<null>>
  readonly readOnly?: boolean
  readonly policy?: "auto" | "prompt"
  readonly run?: (authorized: Authorized<null>) => Effect.Effect<AdapterOutcome, AdapterError, Scope.Scope>
}

const done: AdapterOutcome = { status: "succeeded", output: textOutput("done") }

const entry = ({ plan, policy = "auto", readOnly = false, run = () => Effect.succeed(done) }: Led): SourceEntry => ({
  name: "led",
  description: "Does what the test says.",
  inputSchema: { type: "object" },
  capability: null,
  risk: "low",
  policy,
  policyOrigin: "test",
  tightenOnly: true,
  readOnly,
  displayPolicy: "summary",
  modelOutputPolicy: "content",
  toolset: null,
  provenance: "test led",
  component: null,
  metadata: {},
  adapter: opaque<null>({
    plan: () => ({
      action: "do",
      target: "something",
      risk: "low",
      policy: "auto",
      because: [],
      readOnly,
      preview: {},
      subject: { kind: "other" },
      approvalShape: {},
      sessionCacheable: true,
      secrets: [],
      writeScope: null,
      timeoutMillis: null,
      prepared: null,
      ...plan
    }),
    run
  })
})

interface Host {
  readonly led: Led
  /** What a question and a source of secrets do; by default they answer. */
  readonly ask?: Effect.Effect<string>
  readonly bind?: Effect.Effect<never>
  readonly cleanupLimitMillis?: number
  readonly questionMillis?: number
}

/** The composed host whose prompter and binder are the test's. */
const hostOf = (
  place: TestHost,
  { ask = Effect.succeed("allow"), bind, cleanupLimitMillis, led, questionMillis }: Host
) =>
  Layer.unwrapEffect(
    Effect.map(decodeSettings(""), (settings) => {
      const options = {
        settings,
        environment: { PATH: "/usr/bin:/bin", SERVICE_TOKEN: "a-value-of-some-length" },
        platform: "posix" as const,
        userHome: join(place.root, "person"),
        sources: [{ kind: "led", entries: () => Effect.succeed({ entries: [entry(led)], diagnostics: [] }) }]
      }
      const runtime = EffectRuntime.layer({
        globalApproval: settings.approval,
        hostEnvironment: options.environment,
        ...(cleanupLimitMillis === undefined ? {} : { cleanupLimitMillis }),
        ...(questionMillis === undefined ? {} : { questionMillis })
      })
      return (
        bind === undefined ? runtime : Layer.provide(runtime, Layer.succeed(SecretBinder, { bind: () => bind }))
      ).pipe(
        Layer.provideMerge(hostServicesLayer(options)),
        Layer.provideMerge(controlPlaneLayer),
        Layer.provideMerge(redactorLayer(options)),
        Layer.provideMerge(Layer.succeed(ApprovalPrompter, { surface: "test", available: true, ask: () => ask })),
        Layer.provideMerge(homeLayer(place.home))
      )
    })
  )

interface Scene {
  readonly turn: Turn
  readonly place: TestHost
  readonly call: CallId
}

const core = { "agent.yaml": `${generousCore}    secret.bind:SERVICE_TOKEN: {scope: workspace}\n` }

const inHost = <A, E, R>(host: Host, use: (scene: Scene) => Effect.Effect<A, E, R>) =>
  Effect.scoped(
    Effect.flatMap(testPlace({ core }), (place) =>
      Effect.scoped(
        Effect.flatMap(admitTestTurn(place), (turn) => use({ turn, place, call: CallId("call_of_the_test") }))
      ).pipe(Effect.provide(hostOf(place, host)))
    )
  )

const execute = ({ call, turn }: Scene) =>
  Effect.flatMap(EffectRuntime, (runtime) => {
    const ref = turn.catalog.resolve("led")
    const request = ref === null ? null : turn.catalog.request(ref, {}, call)
    return request === null || Either.isLeft(request)
      ? Effect.dieMessage("no request")
      : runtime.execute(request.right, turn.context)
  })

/**
 * What the store says of the call once its event is there. The outcome of an effect that began and may have changed
 * something must be on the disk by now; everything else is on its way there.
 */
const recorded = (scene: Scene) =>
  Effect.flatMap(stored(scene), (now) =>
    now.told === 1 || (now.started === true && !now.settled)
      ? Effect.succeed(now)
      : stored(scene).pipe(Effect.delay("5 millis"), Effect.repeat({ until: ({ told }) => told > 0, times: 100 }))
  )

const stored = ({ call }: Scene) =>
  Effect.gen(function* () {
    const { local } = yield* Principals
    const record = yield* Effect.flatMap(EffectRecords, (records) => records.get(local, call))
    const events = yield* Effect.flatMap(EventLog, (log) => log.read(local, { call }))
    return {
      status: record?.status ?? null,
      started: record?.executionStarted ?? null,
      mayHaveHappened: record?.mayHaveHappened ?? null,
      settled: record?.settledAt !== null && record !== null,
      told: events.filter(({ type }) => type === "effect.settled").length
    }
  })

const ended = (status: Status, started: boolean, mayHaveHappened: boolean) => ({
  status,
  started,
  mayHaveHappened,
  settled: true,
  told: 1
})

/** An effect that says when it has begun, and then takes for ever. */
const waiting = Effect.map(Deferred.make<void>(), (begun) => ({
  begun: Deferred.await(begun),
  forEver: Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
}))

const secret = { source: "env:SERVICE_TOKEN", target: "SERVICE_TOKEN", expiresInSeconds: 60 }

/** Where a call may be when somebody gives up on it, and what is true of it then. */
const places: Readonly<
  Record<string, (forEver: Effect.Effect<never>) => { readonly host: Host; readonly started: boolean }>
> = {
  "at its question": (forEver) => ({ host: { led: { policy: "prompt" }, ask: forEver }, started: false }),
  "at its secrets": (forEver) => ({ host: { led: { plan: { secrets: [secret] } }, bind: forEver }, started: false }),
  "in its adapter": (forEver) => ({ host: { led: { run: () => forEver } }, started: true })
}

for (const [where, at] of Object.entries(places)) {
  describe(`a call that is given up ${where}`, () => {
    it.live("by its caller is recorded, and then the interruption goes on", () =>
      Effect.gen(function* () {
        const { begun, forEver } = yield* waiting
        const { host, started } = at(forEver)
        yield* inHost(host, (scene) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(execute(scene))
            yield* begun
            const exit = yield* Fiber.interrupt(fiber)
            assert.isTrue(Exit.isInterrupted(exit))
            assert.deepStrictEqual(yield* recorded(scene), ended("cancelled", started, started))
          })
        )
      })
    )

    it.live("by its turn is recorded, and its caller hears of it", () =>
      Effect.gen(function* () {
        const { begun, forEver } = yield* waiting
        const { host, started } = at(forEver)
        yield* inHost(host, (scene) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(execute(scene))
            yield* begun
            scene.place.stop.abort()
            const result = yield* Fiber.join(fiber)
            assert.deepStrictEqual(
              [result.status, result.error?._tag, result.executionStarted],
              ["cancelled", "CancelledError", started]
            )
            assert.deepStrictEqual(yield* recorded(scene), ended("cancelled", started, started))
          })
        )
      })
    )
  })
}

describe("a question that its caller gave up", () => {
  it.live("is closed for every other surface", () =>
    Effect.gen(function* () {
      const { begun, forEver } = yield* waiting
      yield* inHost({ led: { policy: "prompt" }, ask: forEver }, (scene) =>
        Effect.gen(function* () {
          const fiber = yield* Effect.fork(execute(scene))
          yield* begun
          yield* Fiber.interrupt(fiber)
          const { local } = yield* Principals
          const [record] = yield* Effect.flatMap(ApprovalRecords, (records) => records.list(local, "all")).pipe(
            Effect.delay("5 millis"),
            Effect.repeat({ until: ([first]) => first?.resolution !== null, times: 200 })
          )
          assert.deepStrictEqual([record?.resolution?.answer, record?.resolution?.by], ["deny", "withdrawn"])
        })
      )
    })
  )
})

describe("a call whose turn was stopped before", () => {
  it.live("does not start, and is recorded", () => {
    let runs = 0
    const run = () => Effect.sync(() => ((runs += 1), done))
    return inHost({ led: { run } }, (scene) =>
      Effect.gen(function* () {
        scene.place.stop.abort()
        const result = yield* execute(scene)
        assert.deepStrictEqual([result.status, result.executionStarted, runs], ["cancelled", false, 0])
        assert.deepStrictEqual(yield* recorded(scene), ended("cancelled", false, false))
      })
    )
  })
})

describe("a deadline", () => {
  it.live("of the call ends it, and is recorded", () =>
    inHost({ led: { plan: { timeoutMillis: 30 }, run: () => Effect.never } }, (scene) =>
      Effect.gen(function* () {
        const { error, status } = yield* execute(scene)
        assert.deepInclude(error, { _tag: "DeadlineError", by: "call" })
        assert.strictEqual(status, "timed_out")
        assert.deepStrictEqual(yield* recorded(scene), ended("timed_out", true, true))
      })
    )
  )

  it.live("of a secret ends it likewise", () =>
    inHost({ led: { plan: { secrets: [{ ...secret, expiresInSeconds: 1 }] }, run: () => Effect.never } }, (scene) =>
      Effect.gen(function* () {
        const { error } = yield* execute(scene)
        assert.deepInclude(error, { _tag: "DeadlineError", by: "secret" })
        assert.deepStrictEqual(yield* recorded(scene), ended("timed_out", true, true))
      })
    )
  )

  it.live("of a question is a denial, and is recorded", () =>
    inHost({ led: { policy: "prompt" }, ask: Effect.never, questionMillis: 30 }, (scene) =>
      Effect.gen(function* () {
        const { error, status } = yield* execute(scene)
        assert.deepInclude(error, { _tag: "ApprovalError", reason: "expired" })
        assert.strictEqual(status, "denied")
        assert.deepStrictEqual(yield* recorded(scene), ended("denied", false, false))
      })
    )
  )

  it.live("leaves nothing open about an effect that only reads", () =>
    inHost({ led: { readOnly: true, plan: { timeoutMillis: 30 }, run: () => Effect.never } }, (scene) =>
      Effect.gen(function* () {
        yield* execute(scene)
        assert.deepStrictEqual(yield* recorded(scene), ended("timed_out", true, false))
      })
    )
  )
})

describe("an adapter that does not let go", () => {
  const stubborn: Readonly<Record<string, NonNullable<Led["run"]>>> = {
    "because it cannot be interrupted": () => Effect.as(Effect.uninterruptible(Effect.sleep("2 seconds")), done),
    "because its cleanup hangs": () =>
      Effect.zipRight(
        Effect.addFinalizer(() => Effect.sleep("2 seconds")),
        Effect.never
      ),
    "because its cleanup breaks": () =>
      Effect.zipRight(
        Effect.addFinalizer(() => Effect.dieMessage("no")),
        Effect.never
      ),
    "and says so": ({ call }) =>
      Effect.onInterrupt(Effect.never, () => Effect.sync(() => call.witness.unconfirmed("left behind")))
  }
  for (const [why, run] of Object.entries(stubborn)) {
    it.live(`${why}: nobody can know, whoever gives it up, and that is recorded in time`, () =>
      Effect.gen(function* () {
        yield* inHost({ led: { run, plan: { timeoutMillis: 30 } }, cleanupLimitMillis: 60 }, (scene) =>
          Effect.gen(function* () {
            const { error, mayHaveHappened, status } = yield* Effect.timeout(execute(scene), "1 second")
            assert.deepStrictEqual(
              [status, error?._tag, mayHaveHappened],
              ["indeterminate", "IndeterminateError", true]
            )
            assert.deepStrictEqual(yield* recorded(scene), ended("indeterminate", true, true))
          })
        )
        yield* inHost({ led: { run }, cleanupLimitMillis: 60 }, (scene) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(execute(scene))
            yield* Effect.sleep("30 millis")
            const exit = yield* Effect.timeout(Fiber.interrupt(fiber), "1 second")
            assert.isTrue(Exit.isInterrupted(exit))
            assert.deepStrictEqual(yield* recorded(scene), ended("indeterminate", true, true))
          })
        )
      })
    )
  }

  it.live("while one that only breaks off is told apart: it ended, and nobody knows what it did", () =>
    inHost({ led: { run: () => Effect.dieMessage("broken") } }, (scene) =>
      Effect.gen(function* () {
        const { error, status } = yield* execute(scene)
        assert.deepStrictEqual([status, error?._tag], ["indeterminate", "DefectError"])
        assert.deepStrictEqual(yield* recorded(scene), ended("indeterminate", true, true))
      })
    )
  )
})

describe("calls that are given up at any moment", () => {
  it.live("have one outcome each, and it says whether the adapter ran", () => {
    const begun = new Set<string>()
    const run: Led["run"] = ({ call }) =>
      Effect.zipRight(
        Effect.sync(() => begun.add(call.callId)),
        Effect.as(Effect.sleep("4 millis"), done)
      )
    return inHost({ led: { policy: "prompt", run }, ask: Effect.as(Effect.sleep("3 millis"), "allow") }, (scene) =>
      Effect.gen(function* () {
        const calls = Array.from({ length: 60 }, (_, index) => ({ ...scene, call: CallId(`call_${index}`) }))
        yield* Effect.forEach(
          calls,
          (each, index) =>
            Effect.gen(function* () {
              const fiber = yield* Effect.fork(execute(each))
              // From before the question to behind the end: close together at first, and then far enough for any machine.
              yield* Effect.sleep(index ** 3 / 400)
              yield* Fiber.interrupt(fiber)
            }),
          { concurrency: 4 }
        )
        const seen = new Set<Status | null>()
        for (const each of calls) {
          const record = yield* recorded(each)
          const started = begun.has(each.call)
          if (record.status === null) assert.isFalse(started, `${each.call} ran and has no record`)
          else {
            assert.deepInclude(record, { started, settled: true, told: 1 }, each.call)
            assert.include(["cancelled", "succeeded"], record.status)
            if (record.status === "succeeded") assert.isTrue(started)
          }
          seen.add(record.status)
        }
        assert.isTrue(seen.has("cancelled") && seen.has("succeeded"), [...seen].join(", "))
      })
    )
  })
})
